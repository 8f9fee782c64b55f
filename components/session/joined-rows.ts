import type { MessageId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'
import { blocksOf } from './blocks'
import type { ThreadRow } from './thread-rows'

type Part = ChatMessage['parts'][number]
type ToolPart = Extract<Part, { toolCallId: string }>

/** A row of the thread whose calls of tools have their answers. */
export interface JoinedRow extends ThreadRow {
  /** its place among the rows before they were joined */
  at: number
  /** the messages below it that hold nothing but answers to its calls */
  answeredIn: MessageId[]
}

/**
 * Rows in which a call of a tool and its answer are one. An answer stands in the message below the call where an agent carried
 * the call out, or a person allowed it; it is moved to the call, and a message that is empty by then is left out.
 */
export function joinedRows(rows: readonly ThreadRow[]): JoinedRow[] {
  const joined: JoinedRow[] = []
  for (const [at, { node, message }] of rows.entries()) {
    const open = openCalls(rows[at - 1]?.message)
    const own = message.parts.filter((part) => !(isAnswer(part) && open.has(part.toolCallId)))
    const isEmpty = own.length < message.parts.length && blocksOf({ ...message, parts: own }).length === 0
    const above = joined.at(-1)
    if (isEmpty && above) {
      above.answeredIn.push(node.id)
      continue
    }
    const rest = own.length === message.parts.length ? message : { ...message, parts: own }
    joined.push({ node, message: withAnswers(rest, rows[at + 1]?.message), at, answeredIn: [] })
  }
  return joined
}

function withAnswers(message: ChatMessage, below: ChatMessage | undefined): ChatMessage {
  const answers = new Map((below?.parts ?? []).filter(isAnswer).map((part) => [part.toolCallId, part]))
  if (![...openCalls(message)].some((id) => answers.has(id))) return message
  const parts = message.parts.map((part) => {
    const answer = isOpen(part) ? answers.get(part.toolCallId) : undefined
    return answer
      ? ({ ...answer, ...part, state: answer.state, approval: answer.approval } as typeof part)
      : part
  })
  return { ...message, parts }
}

const openCalls = (message: ChatMessage | undefined): ReadonlySet<string> =>
  new Set((message?.parts ?? []).filter(isOpen).map(({ toolCallId }) => toolCallId))

// a stored part may be anything
const isTool = (part: Part | null): part is ToolPart =>
  typeof part === 'object' && part !== null && 'toolCallId' in part && typeof part.state === 'string'

const isOpen = (part: Part): part is ToolPart =>
  isTool(part) && (part.state === 'input-available' || part.state === 'approval-requested')

const isAnswer = (part: Part): part is ToolPart => isTool(part) && part.state.startsWith('output-')

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
