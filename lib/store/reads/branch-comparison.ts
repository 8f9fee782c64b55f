import type { ContextData, PlacedMessage } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { TitledBranch } from '@/lib/graph'
import type { BranchLine, Comparison } from '@/lib/protocol'
import { comparisonSql } from './comparison-sql'
import { inOrder, type MessageRow, takeHead } from './rows'

/** A stored branch, with the sources of its title. */
type StoredBranch = TitledBranch & Omit<BranchLine, 'title'>

/** A side as it is stored. */
export interface StoredSide {
  branchId: string
  name: string
  headId: string | null
  /** null while it is empty */
  lane: number | null
  length: number
  context: ContextData | null
  usage: { inputTokens: number; outputTokens: number } | null
  messages: PlacedMessage[]
}

export interface StoredComparison extends Pick<Comparison, 'title' | 'common'> {
  branches: StoredBranch[]
  left: StoredSide
  right: StoredSide | null
}

type Facts = Pick<StoredComparison, 'title' | 'branches' | 'common'> & {
  sides: (Omit<StoredSide, 'messages'> & { side: 'left' | 'right' })[]
}

type Row = Pick<
  MessageRow,
  'depth' | 'lane' | 'id' | 'parentId' | 'name' | 'data' | 'status' | 'createdAt'
> & {
  side: 'left' | 'right' | null
}

/**
 * Two branches of an owner's chat from where they part, in one statement: the first `limit` messages that
 * each has for itself, and the facts of both. A branch is given by name or id; by default `left` is the
 * active branch, and `right` the branch nearest to `left`.
 *
 * @param ask the database's `query`, which finds nothing for text that Postgres cannot hold
 * @returns undefined for a missing or another person's chat or branch; `right` is null in a chat with one
 * branch
 */
export async function compareBranches(
  ask: Database['query'],
  chatId: string,
  ownerId: string,
  { left, right, limit }: { left?: string; right?: string; limit: number },
): Promise<StoredComparison | undefined> {
  const rows = await ask<Row>(comparisonSql, [chatId, ownerId, left ?? null, right ?? null, limit])
  const facts = takeHead(rows)?.data as Facts | undefined
  if (!facts) return undefined
  const sideOf = (name: 'left' | 'right'): StoredSide | null => {
    const found = facts.sides.find(({ side }) => side === name)
    if (!found) return null
    const { side, ...stored } = found
    const messages = inOrder(rows.filter((row) => row.side === side))
    return { ...stored, messages: messages.map((row) => toPlaced(chatId, row)) }
  }
  const [one, other] = [sideOf('left'), sideOf('right')]
  if (!one || (right !== undefined && !other)) return undefined
  const { title, branches, common } = facts
  return { title, branches, common, left: one, right: other }
}

function toPlaced(chatId: string, { side, status, ...row }: Row): PlacedMessage {
  return { ...row, chatId, ...(status === null ? {} : { status }) }
}
