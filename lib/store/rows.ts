import type { BranchData, ChatData, CommittedBranch, MessageData } from '@/lib/context'

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
  return {
    id: row.id,
    chatId,
    parentId: row.parentId,
    name: row.name,
    ...(row.type === null ? {} : { type: row.type }),
    data: row.data,
    createdAt: row.createdAt,
    ...(row.mergeParentId === null ? {} : { mergeParentId: row.mergeParentId }),
    ...(row.copiedFromId === null ? {} : { copiedFromId: row.copiedFromId }),
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.contextId === null ? {} : { contextId: row.contextId }),
    ...(row.runId === null ? {} : { runId: row.runId }),
  }
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
