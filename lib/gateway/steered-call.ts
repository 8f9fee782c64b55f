import type { ModelMessage } from 'ai'
import { canonicalMessage, contentOf, linksOf } from './chain'
import { isKept, namedPart } from './kept'
import type { Protocol } from './protocols/protocol'
import { MessageList } from './protocols/shared/read-call'
import { type Fields, fieldsOf, listOf } from './protocols/shared/values'
import { readsAccount } from './shared-key'

/**
 * A client's call with other messages, as another place of its conversation has them. Every other field stays. A
 * message that the client has sent is the item that it sent, with signatures, marks for the cache and whatever else
 * it holds; other messages are written in the words of its protocol.
 *
 * @param body of the call as the client sent it
 * @param chain the messages, with calls of tools that nothing has answered
 * @param isShared true when many people share the key
 */
export function steeredCall(
  { name, readCall, writer }: Protocol,
  body: Fields,
  chain: readonly ModelMessage[],
  { isShared }: { isShared: boolean },
): Fields {
  const list = new MessageList()
  readCall(body, list)
  const sent = sentItems(list)
  const { field, follows } = writer
  const write = writer.write(body)
  const written = linksOf(withOwnIds(chain)).flatMap((message) => {
    const [items] = sent.get(nameOf(message))?.splice(0, 1) ?? []
    return items ?? write(fitting(message, name, isShared))
  })
  const items = writer.conversation([...list.head, ...written].map(fieldsOf), body)
  const kept = Object.entries(body).filter(([key]) => !follows.includes(key))
  return { ...Object.fromEntries(kept), [field]: items }
}

/** The messages of a call for a model that is asked in another protocol: no provider takes a call without its answer. */
export function answeredChain(chain: readonly ModelMessage[]): ModelMessage[] {
  const links = linksOf(withOwnIds(chain))
  return links.flatMap((message, at): ModelMessage[] => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
    const next = links[at + 1]
    const answered = new Set(next?.role === 'tool' ? contentOf(next).map(({ toolCallId }) => toolCallId) : [])
    const content = message.content.filter(
      (part) => part.type !== 'tool-call' || answered.has(part.toolCallId),
    )
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

/** The items that a client has sent, by the name of the message that they are. */
function sentItems({ messages, sources }: MessageList): Map<string, unknown[][]> {
  const joined: unknown[][] = []
  for (const [at, { role }] of messages.entries()) {
    const goesOn = (role === 'tool' || role === 'assistant') && messages[at - 1]?.role === role
    if (goesOn) joined.at(-1)?.push(...(sources[at] ?? []))
    else joined.push([...(sources[at] ?? [])])
  }
  const named = new Map<string, unknown[][]>()
  for (const [at, link] of linksOf(messages).entries()) {
    for (const name of new Set([nameOf(link), nameOf(withoutFiles(link))]))
      named.set(name, [...(named.get(name) ?? []), joined[at] ?? []])
  }
  return named
}

/** A message as it is stored where its files cannot be kept: each is named in a line of text. */
function withoutFiles(message: ModelMessage): ModelMessage {
  const named = (part: Record<string, unknown>) =>
    part.type === 'file' ? { type: 'text', text: `[${part.filename ?? 'file'}]` } : part
  const content = contentOf(message).map((part) => {
    const { type, value } = fieldsOf(part.output)
    if (type !== 'content') return named(part)
    const items = listOf(value).map((item) => named(fieldsOf(item)))
    const isText = items.every((item) => item.type === 'text')
    const text = items.map((item) => item.text).join('\n')
    return { ...part, output: isText ? { type: 'text', value: text } : { type, value: items } }
  })
  return { ...message, content } as ModelMessage
}

const nameOf = (message: ModelMessage): string => `${message.role} ${canonicalMessage(message)}`

/** A chain whose calls have an id each: a message may stand in it twice, as a copy. */
function withOwnIds(chain: readonly ModelMessage[]): ModelMessage[] {
  const known = new Set<string>()
  const now = new Map<string, string>()
  return chain.map((message) => {
    if (typeof message.content === 'string') return message
    const content = contentOf(message).map((part) => {
      if (typeof part.toolCallId !== 'string') return part
      if (part.type === 'tool-call') {
        let id = part.toolCallId
        for (let copy = 2; known.has(id); copy += 1) id = `${part.toolCallId}_${copy}`
        known.add(id)
        now.set(part.toolCallId, id)
      }
      return { ...part, toolCallId: now.get(part.toolCallId) ?? part.toolCallId }
    })
    return { ...message, content } as ModelMessage
  })
}

/** A message without what the provider cannot know: items of other protocols, and of an account that is not the person's. */
function fitting(message: ModelMessage, protocol: Protocol['name'], isShared: boolean): ModelMessage {
  if (typeof message.content === 'string') return message
  const known = (part: Record<string, unknown>): Record<string, unknown>[] => {
    const { type, value } = fieldsOf(part.output)
    if (type === 'content') {
      const items = listOf(value).map(fieldsOf).flatMap(known)
      return [{ ...part, output: { type, value: items } }]
    }
    if (!isKept(part)) return [part]
    if (part.protocol === protocol && !(isShared && readsAccount(part.item))) return [part]
    return message.role === 'user' ? [namedPart(part)] : []
  }
  return { ...message, content: contentOf(message).flatMap(known) } as ModelMessage
}
