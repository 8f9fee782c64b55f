import type { MessageData } from '@/lib/context'
import type { Database } from '@/lib/db'
import { chainSql } from './chain-sql'
import { inOrder, type MessageRow, READ_AT_ONCE, toMessage } from './rows'

/** The chain of a message, or its last messages, the root's side first; see `ContextStore.getMessageChain`. */
export async function messageChain(
  ask: Database['query'],
  chatId: string,
  headId: string,
  last = Number.POSITIVE_INFINITY,
): Promise<MessageData[]> {
  const rows: MessageRow[] = []
  for (let above: number | null = null; above !== 0 && rows.length < last; ) {
    const most = Math.min(READ_AT_ONCE, last - rows.length)
    const part: MessageRow[] = await ask(chainSql, [chatId, headId, most, above])
    if (part.length === 0) break
    rows.push(...part)
    above = part.reduce((least, { depth }) => Math.min(least, depth), Number.POSITIVE_INFINITY)
  }
  return inOrder(rows).map((row) => toMessage(chatId, row))
}
