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

/** Steps that follow each other, rows of context that an agent has added, or one other row. */
export type RowGroup = { kind: 'row'; row: JoinedRow } | { kind: 'steps' | 'context'; rows: JoinedRow[] }

/**
 * Puts rows together that are steps, with the context that was added between them, and rows of such context. A row that is not
 * plain, for instance the last one, stands for itself.
 */
export function rowGroups(rows: readonly JoinedRow[], isPlain: (row: JoinedRow) => boolean): RowGroup[] {
  const groups: RowGroup[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    const kind = isPlain(row) ? kindOf(row) : 'row'
    if (kind === 'row') groups.push({ kind, row })
    else if (last?.kind === kind || (last?.kind === 'steps' && kind === 'context')) last.rows.push(row)
    else groups.push({ kind, rows: [row] })
  }
  return groups
}

/** A row of steps is finished calls of tools, with the thoughts and words before them. */
function kindOf({ node, message }: JoinedRow): RowGroup['kind'] {
  if (node.status !== 'done') return 'row'
  const blocks = blocksOf(message)
  if (blocks.length > 0 && blocks.every(({ kind }) => kind === 'context')) return 'context'
  const isSteps =
    node.role !== 'user' &&
    blocks.some(({ kind }) => kind === 'tool') &&
    // words behind a call are its result
    blocks.at(-1)?.kind !== 'text' &&
    blocks.every(
      (block) =>
        block.kind === 'reasoning' ||
        block.kind === 'text' ||
        (block.kind === 'tool' && block.part.state !== 'approval-requested'),
    )
  return isSteps ? 'steps' : 'row'
}

/** Tells whether a row of a group has words of its own: it has a speaker where it is not folded. */
export const hasWords = ({ message }: JoinedRow): boolean =>
  blocksOf(message).some(({ kind }) => kind === 'text')
