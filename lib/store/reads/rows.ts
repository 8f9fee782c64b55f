import type { BranchData, ChatData, CommittedBranch, MessageData } from '@/lib/context'

/** Messages that one statement reads: an embedded database answers nothing else meanwhile. */
export const READ_AT_ONCE = 1000

/** The id by which its owner knows the chat whose row is `chat`. Answers to the owner name this id, not the key. */
export const publicId = (chat: string): string => `coalesce(${chat}.alias, ${chat}.id)`

/** The number of messages of the chat whose row is `chat`: one look-up a lane, since a lane has no holes. */
export const messageCount = (
  chat: string,
): string => `(select coalesce(sum(t.depth + 1 - g.base_depth), 0)::int
  from lanes g cross join lateral (select m.depth from messages m
    where m.chat_id = g.chat_id and m.lane = g.lane order by m.depth desc limit 1) t
  where g.chat_id = ${chat}.id)`

/** An event `e` as `upcast` takes it. */
export const eventColumns = `e.chat_id || ':' || e.seq as id, e.chat_id as "chatId", e.seq::float8 as seq,
  e.stream_id as "streamId", e.event_number as "eventNumber", e.type, e.version, e.payload,
  epoch_ms(e.created_at) as "createdAt"`

/** A message as `messageColumns` selects it. */
export interface MessageRow {
  lane: number
  depth: number
  id: string
  parentId: string | null
  name: string
  type: string | null
  data: unknown
  status: 'stopped' | 'failed' | null
  mergeParentId: string | null
  copiedFromId: string | null
  contextId: string | null
  runId: string | null
  createdAt: number
}

export function toMessage(chatId: string, row: MessageRow): MessageData {
  const { id, parentId, name, data, createdAt } = row
  const message: MessageData = { id, chatId, parentId, name, data, createdAt }
  // one by one: spread in, absent or not, they cost a long chain more than its rows do
  if (row.type !== null) message.type = row.type
  if (row.mergeParentId !== null) message.mergeParentId = row.mergeParentId
  if (row.copiedFromId !== null) message.copiedFromId = row.copiedFromId
  if (row.status !== null) message.status = row.status
  if (row.contextId !== null) message.contextId = row.contextId
  if (row.runId !== null) message.runId = row.runId
  return message
}

/** Puts the rows of a chain in order by their dense depth; a hole means the store is damaged. */
export function inOrder<Row extends { depth: number }>(rows: Row[]): Row[] {
  let lowest = Number.POSITIVE_INFINITY
  for (const row of rows) if (row.depth < lowest) lowest = row.depth
  const ordered = new Array<Row>(rows.length)
  for (const row of rows) ordered[row.depth - lowest] = row
  for (let i = 0; i < rows.length; i++) {
    if (!ordered[i]) throw new Error(`The chain has a hole at depth ${lowest + i}: run db:check`)
  }
  return ordered
}

/** Takes out the row at depth -1 by which a statement names the chain's branch; undefined without one. */
export function takeHead<Row extends { depth: number }>(rows: Row[]): Row | undefined {
  const at = rows.findLastIndex(({ depth }) => depth === -1)
  return at === -1 ? undefined : rows.splice(at, 1)[0]
}

/** A branch as `branch_json` writes it, and whether the chat opens there. */
export interface BranchRow {
  branch: CommittedBranch
  active: boolean
}

export function toBranch({ branch, active }: BranchRow): BranchData {
  const { headLane: _lane, headDepth: _depth, ...rest } = branch
  return { ...rest, isActive: active }
}

export interface ChatRow {
  id: string
  userId: string
  title: string | null
  metadata: Record<string, unknown>
  createdAt: number
  updatedAt: number
}

export function toChat(row: ChatRow): ChatData {
  const { title, ...rest } = row
  return title === null ? rest : { ...rest, title }
}
