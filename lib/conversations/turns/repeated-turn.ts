import type { UIMessage } from 'ai'
import { v5 } from 'uuid'
import { canonicalJson, messageText, type PlacedMessage, type RunRecord } from '@/lib/context'
import type { ChatId, MessageId } from '@/lib/events'
import { MessageReusedError } from '../errors'
import type { Ports } from '../ports'
import type { TurnRequest } from './start-turn'

/** The request was answered before: the same turn, with whatever has become of it. */
export interface RepeatedTurn {
  repeated: true
  /** the key of the chat */
  chatId: ChatId
  userMessageId: MessageId
  run?: RunRecord
}

/** An edit's new id follows from what it replaces and says, so a repeated edit is one edit. */
const EDIT_NAMESPACE = '6f4d1a52-3f0b-5b1e-9a55-7c1a0f2f6f10'

/** The turn this message already made, if its id is stored; the same id with another text is refused. */
export async function repeatOf(
  ports: Ports,
  request: TurnRequest,
  message: UIMessage,
): Promise<RepeatedTurn | undefined> {
  const stored = await ports.reads.message(request.chatId, request.ownerId, message.id)
  if (!stored) return undefined
  if (!sameText(stored.message, message)) {
    throw new MessageReusedError('A message with this id was sent before, with another text.')
  }
  const run = await ports.runs.findByMessage(request.chatId, message.id)
  return { repeated: true, chatId: request.chatId, userMessageId: message.id, ...(run ? { run } : {}) }
}

const sameText = (stored: PlacedMessage, message: UIMessage): boolean =>
  stored.name === message.role && messageText(stored.data) === messageText(message)

/** The message under the id it will be stored with: its own, or for an edit one that follows from the edit. */
export function withTurnId(request: TurnRequest): UIMessage | undefined {
  const { message, messageId, chatId } = request
  if (!message || messageId === undefined) return message
  const id = v5(canonicalJson([chatId, messageId, message.parts]), EDIT_NAMESPACE)
  return { ...message, id }
}
