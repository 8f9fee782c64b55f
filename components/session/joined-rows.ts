import { blocksOf } from './blocks'
import { type JoinedMessage, joinedMessages } from './joined-messages'
import type { ThreadRow } from './thread-rows'

/** A row of the thread whose calls of tools have their answers. */
export interface JoinedRow extends ThreadRow, Pick<JoinedMessage<never>, 'at' | 'answeredIn'> {}

/** Rows of the thread in which a call of a tool and its answer are one. */
export const joinedRows = (rows: readonly ThreadRow[]): JoinedRow[] =>
  joinedMessages(rows.map(({ message }) => message)).flatMap((joined) => {
    const row = rows[joined.at]
    return row ? { node: row.node, ...joined } : []
  })

/** Rows of steps in a row, or one other row. */
export type RowGroup = { kind: 'row'; row: JoinedRow } | { kind: 'steps'; rows: JoinedRow[] }

/** Puts rows that are steps together. A row that is not plain, for instance the last one, stands for itself. */
export function rowGroups(rows: readonly JoinedRow[], isPlain: (row: JoinedRow) => boolean): RowGroup[] {
  const groups: RowGroup[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (!isStepRow(row) || !isPlain(row)) groups.push({ kind: 'row', row })
    else if (last?.kind === 'steps') last.rows.push(row)
    else groups.push({ kind: 'steps', rows: [row] })
  }
  return groups
}

/** Whether a message is nothing but finished calls of tools, and what was thought between them. */
function isStepRow({ node, message }: JoinedRow): boolean {
  if (node.status !== 'done' || node.role === 'user') return false
  const blocks = blocksOf(message)
  return (
    blocks.some(({ kind }) => kind === 'tool') &&
    blocks.every(
      (block) =>
        block.kind === 'reasoning' || (block.kind === 'tool' && block.part.state !== 'approval-requested'),
    )
  )
}
