import { joinedMessages } from '@/components/session/joined-messages'
import { wordsOf } from '@/components/session/messages'
import { alignTurns, type DiffTurn, type Reading, turnsOf } from '@/lib/graph/diff/align-turns'
import type { ChatMessage } from '@/lib/protocol'

/** Two messages beside each other; null on a side without a counterpart. */
export interface CompareRow {
  key: string
  left: ChatMessage | null
  right: ChatMessage | null
  /** a turn begins here */
  begins: boolean
}

const reading: Reading<ChatMessage> = {
  isQuestion: ({ role }: ChatMessage) => role === 'user',
  textOf: wordsOf,
}

/**
 * The messages of two branches side by side: question beside question, reply beside reply. A call of a tool has its answer.
 */
export function compareRows(left: readonly ChatMessage[], right: readonly ChatMessage[]): CompareRow[] {
  const turnsIn = (messages: readonly ChatMessage[]) =>
    turnsOf(
      joinedMessages(messages).map(({ message }) => message),
      reading,
    )
  const pairs = alignTurns(turnsIn(left), turnsIn(right), reading)
  return pairs.flatMap((pair) => {
    const [one, other] = [linesOf(pair.left), linesOf(pair.right)]
    const asks = pair.left?.question || pair.right?.question
    // without a question on either side there is no row for it
    return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => ({
      key: `${one[at]?.id ?? ''} ${other[at]?.id ?? ''}`,
      left: one[at] ?? null,
      right: other[at] ?? null,
      begins: at === (asks ? 0 : 1),
    })).filter((row) => row.left !== null || row.right !== null)
  })
}

const linesOf = (turn: DiffTurn<ChatMessage> | null): (ChatMessage | null)[] =>
  turn ? [turn.question, ...turn.replies] : []
