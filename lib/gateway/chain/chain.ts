import { hash } from 'node:crypto'
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import { Turns } from '@/lib/transfer'
import { canonicalMessage, contentOf } from './canonical'
import { HashMemo } from './hash-memo'

/** Stands above the first message of a call. */
export const NO_CHAIN = ''

/**
 * The messages of a call as the graph has them: neighbouring answers of tools are one message, whether a protocol sends them one
 * by one or together, and so are neighbouring parts of a reply.
 */
export function linksOf(messages: readonly ModelMessage[]): ModelMessage[] {
  const links: ModelMessage[] = []
  for (const message of messages) {
    const last = links.at(-1)
    if (last?.role === 'tool' && message.role === 'tool') {
      links[links.length - 1] = { ...last, content: [...last.content, ...message.content] }
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      links[links.length - 1] = { ...last, content: [...partsOf(last), ...partsOf(message)] }
    } else links.push(message)
  }
  return links
}

type AssistantParts = Exclude<AssistantModelMessage['content'], string>

const partsOf = (message: AssistantModelMessage): AssistantParts =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content

/**
 * The hash of a message below a chain: SHA-256 of the chain's hash, the role and the canonical content.
 *
 * @param above the hash of the message above it, or `NO_CHAIN`
 * @returns in hex
 */
export const chainHash = (above: string, message: ModelMessage): string => chainHasher(message)(above)

/** Hashes one message below any chain: its canonical content is made once. */
export function chainHasher(message: ModelMessage): (above: string) => string {
  const content = canonicalMessage(message)
  return (above) => digest(above, message.role, content)
}

/** The hashes of messages that follow one another, first to last. Others have their turn while a long conversation is hashed. */
export async function chainHashes(above: string, messages: readonly ModelMessage[]): Promise<string[]> {
  const turns = new Turns()
  const hashes: string[] = []
  let at = above
  for (const message of messages) {
    at = memo.hashOf(at, message)
    // to ask for a turn costs as much as a hash
    if (hashes.push(at) % AT_A_TIME === 0) await turns.next()
  }
  return hashes
}

/** Messages that are hashed without a turn of others. */
const AT_A_TIME = 16

const memo = new HashMemo(chainHash)

/** The name of a provider's response, where a call names it instead of the messages before. */
export const responseHash = (responseId: string): string => digest('response', responseId)

/** The name of a reply, where a call names an item of it instead of sending it again. */
export const itemHash = (itemId: string): string => digest('item', itemId)

/** The name of the end of a conversation that a provider keeps. */
export const conversationHash = (conversationId: string): string => digest('conversation', conversationId)

/** Stands above the first message of a call that is pinned to a place in the graph. */
export const pinHash = (...place: readonly string[]): string => digest('pin', ...place)

/** Stands above the first message of a client's conversation, which has names of its own. It never finds another person's. */
export const threadHash = (thread: readonly string[]): string => digest('thread', ...thread)

/** The name of the last message of a client's conversation. */
export const lastHash = (thread: readonly string[]): string => digest('last', ...thread)

// each part with its length, so that none runs into the next; in one call, since a call for each part costs more than the sum
const digest = (...parts: readonly string[]): string =>
  hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''))

/** The answers of tools in a message. */
export const answersOf = (message: ToolModelMessage) =>
  message.content.filter((part) => part.type === 'tool-result')

/** A tool's name and arguments by the id of its call, over a conversation. */
export function callsIn(
  messages: readonly ModelMessage[],
): Map<string, { toolName: string; input: unknown }> {
  const calls = new Map<string, { toolName: string; input: unknown }>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of contentOf(message)) {
      if (part.type === 'tool-call')
        calls.set(String(part.toolCallId), { toolName: String(part.toolName), input: part.input })
    }
  }
  return calls
}
