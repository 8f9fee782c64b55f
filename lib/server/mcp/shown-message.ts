import 'server-only'
import { getToolName, isToolUIPart } from 'ai'
import { z } from 'zod'
import { messageText } from '@/lib/context'
import type { ChatMessage } from '@/lib/protocol'
import { instant } from '@/lib/protocol/fields'
import { cursorText } from './cursors'

/** Letters of messages in one answer: a model reads them all, and pays for them. */
export const ROOM = 24_000

export const shownMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  text: z
    .string()
    .describe('What it says, with the tools that it called and the files that it holds in brackets'),
  rest_cursor: z
    .string()
    .nullable()
    .describe('Set when the text is cut: pass it to read_branch as cursor to read on'),
  status: z.enum(['done', 'stopped', 'failed']).describe('Whether a reply is whole'),
  failure: z.string().nullable().describe('Why a reply is not whole'),
  model: z.string().nullable(),
  created_at: instant.nullable(),
})

/** A message as an agent reads it. */
export type ShownMessage = z.infer<typeof shownMessage>

/** A message without its text. */
const factsOf = ({ id, role, metadata = {} }: ChatMessage): Omit<ShownMessage, 'text' | 'rest_cursor'> => ({
  id,
  role,
  status: metadata.status ?? 'done',
  model: metadata.model ?? null,
  failure: metadata.error ? `${metadata.error.message} ${metadata.error.advice}`.trim() : null,
  created_at: metadata.createdAt === undefined ? null : new Date(metadata.createdAt).toISOString(),
})

/** All that a message says and holds, as text. */
export function wholeText(message: ChatMessage): string {
  const said = message.parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type === 'file') return [`[File ${part.filename ?? 'without a name'} (${part.mediaType})]`]
    if (!isToolUIPart(part)) return []
    const call = `Tool ${getToolName(part)} was called with ${JSON.stringify(part.input ?? {})}`
    if (part.state === 'output-available') return [`[${call} and answered ${messageText(part.output)}]`]
    if (part.state === 'output-error') return [`[${call} and failed: ${part.errorText}]`]
    if (part.state === 'output-denied') return [`[${call}, which a person denied]`]
    if (part.state === 'approval-requested') return [`[${call}: it waits until a person allows it in Ramify]`]
    return [`[${call}]`]
  })
  return said.join('\n')
}

/** A message with its text from one letter on, cut after so many. */
export function showMessage(message: ChatMessage, { from = 0, room = ROOM } = {}): ShownMessage {
  const whole = wholeText(message)
  const end = endAt(whole, from + room)
  const rest = end < whole.length ? cursorText({ message: message.id, after: end }) : null
  return { ...factsOf(message), text: whole.slice(from, end), rest_cursor: rest }
}

/** A place in a text that halves no character. */
function endAt(text: string, at: number): number {
  if (at >= text.length) return text.length
  const isHalf = /[\uD800-\uDBFF]/.test(text[at - 1] ?? '')
  return isHalf && at > 1 ? at - 1 : at
}

/**
 * As many messages from the end of a window as an answer has room for, in their order; of a message that alone is too long,
 * its beginning.
 *
 * @returns besides the number of messages of the window that are left out
 */
export function lastMessages(messages: readonly ChatMessage[]): { shown: ShownMessage[]; left: number } {
  const lengths = messages.map((message) => wholeText(message).length)
  let room = ROOM
  let left = messages.length
  while (left > 0 && (lengths[left - 1] ?? 0) <= room) {
    left -= 1
    room -= lengths[left] ?? 0
  }
  if (left === messages.length && left > 0) left -= 1
  return { shown: messages.slice(left).map((message) => showMessage(message)), left }
}

/** As many messages from the beginning of a list as fit; the last of them may be cut. */
export function firstMessages(messages: readonly ChatMessage[], room: number): ShownMessage[] {
  const shown: ShownMessage[] = []
  for (const message of messages) {
    if (room <= 0) break
    const next = showMessage(message, { room })
    shown.push(next)
    room -= next.text.length
  }
  return shown
}

/** Messages for a model, each under a line with its author and id. */
export const messagesText = (messages: readonly ShownMessage[]): string =>
  messages
    .map(({ id, role, text, rest_cursor, status, failure }) => {
      const ending = status === 'done' ? '' : `, ${status}${failure ? `: ${failure}` : ''}`
      const rest = rest_cursor ? `\n[cut; read_branch with cursor ${rest_cursor} reads on]` : ''
      return `--- ${role} (message ${id}${ending})\n${text}${rest}`
    })
    .join('\n')

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** The HTML of a snippet as text. */
export const plainSnippet = (html: string): string =>
  html
    .replaceAll(/<\/?mark>/g, '**')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (found) => entities[found] ?? found)
