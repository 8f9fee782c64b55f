import type { UIMessage } from 'ai'
import { v5 } from 'uuid'
import { canonicalJson, messageText, type PlacedMessage, type RunRecord } from '@/lib/context'
import type { ChatId, MessageId } from '@/lib/events'
import { MessageReusedError } from '../errors'
import type { Ports } from '../ports'
import type { TurnRequest } from './start-turn'
import { answeredId } from './tool-answers'
import { fileIdsOf } from './user-message'

/** A request that was stored before: the same turn, with its outcome so far. */
export interface RepeatedTurn {
  repeated: true
  /** the key of the chat */
  chatId: ChatId
  userMessageId: MessageId
  run: RunRecord | undefined
}

/** An edit's new id derives from the replaced message and the new parts, so a repeated edit is one edit. */
const EDIT_NAMESPACE = '6f4d1a52-3f0b-5b1e-9a55-7c1a0f2f6f10'

/** The message under its stored id: its own, or for an edit an id derived from the edit. */
export function withTurnId({ message, messageId, chatId }: TurnRequest): UIMessage | undefined {
  if (!message || messageId === undefined) return message
  return { ...message, id: v5(canonicalJson([chatId, messageId, message.parts]), EDIT_NAMESPACE) }
}

/** The turn this message already made, if its id is stored; the same id with another text is refused. */
export async function repeatOf(
  { reads, runs }: Ports,
  { chatId, ownerId }: TurnRequest,
  message: UIMessage,
): Promise<RepeatedTurn | undefined> {
  const found = await reads.message(chatId, ownerId, message.id)
  if (!found) return undefined
  if (!isSame(found.message, message)) {
    throw new MessageReusedError('A message with this id was sent before, with another text.')
  }
  const run = await runs.findByMessage(chatId, message.id)
  return { repeated: true, chatId, userMessageId: message.id, run }
}

/** The run that these answers have begun already. A run without a reply is begun again. */
export async function repeatOfAnswers(
  { reads, runs }: Ports,
  { chatId, ownerId, messageId, answers = [] }: TurnRequest,
  headId: MessageId | null | undefined,
): Promise<RepeatedTurn | undefined> {
  const target = messageId ?? headId
  if (!target) return undefined
  const replyId = answeredId(chatId, target, answers)
  const run = await runs.findByReply(chatId, replyId)
  if (!run) return undefined
  const isLive = run.status === 'queued' || run.status === 'running'
  if (!isLive && !(await reads.message(chatId, ownerId, replyId))) return undefined
  return { repeated: true, chatId, userMessageId: target, run }
}

const isSame = (found: PlacedMessage, message: UIMessage): boolean =>
  found.name === message.role &&
  messageText(found.data) === messageText(message) &&
  `${fileIdsOf(found.data as UIMessage)}` === `${fileIdsOf(message)}`
