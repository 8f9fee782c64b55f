import { v5 } from 'uuid'
import { canonicalJson, type PlacedMessage, waitingCalls } from '@/lib/context'
import type { ChatId, MessageId, ToolAnswer } from '@/lib/events'
import { InvalidRequestError } from '../errors'

/** The id of a continued reply derives from the answers, so answers that are sent twice are one request. */
export const ANSWER_NAMESPACE = '1d0a6f0e-8f0b-5d53-9a0e-0c6f5a7b2e41'

export const nothingWaits = 'No tool waits for an answer here.'

/** Characters of a reason for not allowing a tool. */
const MOST_REASON = 2000

/** The id of the reply with which a message continues after these answers. */
export function answeredId(chatId: ChatId, messageId: MessageId, answers: readonly ToolAnswer[]): MessageId {
  const inOrder = answers.map(cleaned).sort((one, other) => (one.approvalId < other.approvalId ? -1 : 1))
  return v5(canonicalJson([chatId, messageId, inOrder]), ANSWER_NAMESPACE)
}

/**
 * Answers to the tools that wait in a message, one to each.
 *
 * @throws InvalidRequestError for a message in which no tool waits, and for answers that are not all, or not theirs
 */
export function checkedAnswers({ data }: PlacedMessage, answers: readonly ToolAnswer[]): ToolAnswer[] {
  const waiting = waitingCalls(data).flatMap(({ approval }) => (approval ? [approval.id] : []))
  if (waiting.length === 0) throw new InvalidRequestError(nothingWaits, 'nothing_to_answer')
  const ids = answers.map(({ approvalId }) => approvalId)
  const isComplete = waiting.every((id) => ids.includes(id)) && new Set(ids).size === ids.length
  if (!isComplete || ids.length !== waiting.length) {
    const all = waiting.length === 1 ? 'the tool that waits' : `each of the ${waiting.length} tools that wait`
    throw new InvalidRequestError(`Answer ${all}, once.`, 'incomplete_answers')
  }
  return answers.map(cleaned)
}

/** As it is stored. */
function cleaned({ approvalId, approved, reason = '' }: ToolAnswer): ToolAnswer {
  const words = reason.slice(0, MOST_REASON).replaceAll('\0', '').toWellFormed().trim()
  return { approvalId, approved, ...(words !== '' && { reason: words }) }
}
