import type { UIMessage } from 'ai'
import { v5 } from 'uuid'
import { type MessageData, messageText, type NewMessage } from '@/lib/context'
import type { MessageId, ReplayId } from '@/lib/events'
import { fileIdsOf, newUserMessage } from '../turns/user-message'

/** The id of a question follows from the replay and its place, so two processes that ask it ask it once. */
const QUESTION_NAMESPACE = '0f1d6c5e-64a7-5b0e-9a43-6a0f5f2f7c11'

const questionId = (replayId: ReplayId, place: number): MessageId =>
  v5(`${replayId} ${place}`, QUESTION_NAMESPACE)

type Said = Pick<MessageData, 'id' | 'data'>

/** A person's message in the AI SDK's form; data in another form gives its text. */
export function saidIn({ id, data }: Said): UIMessage {
  const isMessage = typeof data === 'object' && data !== null && 'parts' in data && Array.isArray(data.parts)
  const parts = isMessage ? (data as UIMessage).parts : [{ type: 'text' as const, text: messageText(data) }]
  return { id, role: 'user', parts }
}

/**
 * A question of a replay: a copy of the original message with its files. A question with other words is not a
 * copy.
 *
 * @param again.place its place among the questions, from 0
 * @param again.content replaces its text
 * @param again.stored the existing files; a file that is gone stays named in the message
 */
export function askedAgain(
  said: Said,
  again: {
    replayId: ReplayId
    place: number
    at: number
    content?: string | null
    stored?: ReadonlySet<string>
  },
): NewMessage {
  const { replayId, place, at, stored } = again
  const original = saidIn(said)
  const id = questionId(replayId, place)
  const content = again.content ?? null
  const isEdited = content !== null && content !== messageText(said.data)
  const parts = isEdited
    ? [{ type: 'text' as const, text: content }, ...original.parts.filter(({ type }) => type !== 'text')]
    : original.parts
  const { files, ...message } = newUserMessage({ id, role: 'user', parts }, at)
  const there = files?.filter((file) => stored?.has(file) ?? true) ?? []
  return {
    ...message,
    ...(!isEdited && { copiedFromId: said.id }),
    ...(there.length > 0 && { files: there }),
  }
}

/** The ids of the files of some messages. */
export const filesOfAll = (said: readonly Said[]): string[] => [
  ...new Set(said.flatMap((message) => fileIdsOf(saidIn(message)))),
]
