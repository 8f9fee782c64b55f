import { getTableColumns } from 'drizzle-orm'
import {
  copySlice,
  type Deed,
  decideChange,
  NotReadError,
  noRows,
  type Slice,
  type Written,
} from '@/lib/context'
import { schema } from '@/lib/db'
import { type ChatId, recordedMessage } from '@/lib/events'
import { quotaJson } from '../access/quota'
import type { Asked, Done } from './asked'
import { changedRefs } from './changed-refs'
import type { Rows } from './rows'

/** Letters of bodies that are written together at most, and changes: a chat's other writes wait meanwhile. */
const LETTERS = 1_000_000

/** Some changes as they are to be written: the result of each one, or its refusal. */
export interface Decided {
  /** the chat as they leave it */
  slice: Slice
  rows: Rows
  bodies: string[]
  quotas: string[]
  /** one for each change; there may be more changes than are written together */
  outcomes: (Done | { refused: unknown })[]
}

/**
 * Decides changes of one chat one after the other. A refused change leaves nothing, and the later ones
 * continue.
 *
 * @param slice stays as it is
 * @throws NotReadError
 */
export function decideAll(slice: Slice, changes: readonly Asked[]): Decided {
  const written = noRows()
  const quotas: string[] = []
  const outcomes: Decided['outcomes'] = []
  let after = slice
  let letters = 0
  for (const asked of changes) {
    if (letters > LETTERS) break
    const draft = copySlice(after)
    const before = markOf(written)
    try {
      const change = asked.plan(draft)
      const { added, ...committed } = decideChange(draft, change, written)
      const bodies = written.bodies.slice(before.bodies)
      for (const body of bodies) letters += body.length
      const { counting } = asked
      const quota = counting && quotaJson({ ...asked.use(change, bodies), ...added }, counting)
      outcomes.push({ repeated: false, committed, answer: asked.answer?.(draft) })
      if (quota !== undefined) quotas.push(quota)
      after = draft
    } catch (refused) {
      if (refused instanceof NotReadError) throw refused
      rollBack(written, before)
      outcomes.push({ refused })
    }
  }
  const { bodies } = written
  return { slice: after, rows: rowsOf(slice, after, written.rows), bodies, quotas, outcomes }
}

function rowsOf(before: Slice, after: Slice, { at, ...added }: Written['rows']): Rows {
  const { chatId, createdAt, seq, nextLane, undoSeq, redoSeq } = after
  const ifChanged = <Key extends 'title' | 'metadata' | 'activeThreadId'>(key: Key) =>
    after[key] === before[key] ? undefined : after[key]
  return {
    ...added,
    ...changedRefs(before, after),
    events: added.events.map(eventRow),
    deeds: added.deeds.map((deed) => (deed.do === 'keep' ? keptRow(chatId, deed) : deed)),
    chatId,
    seq: before.seq,
    createdAt,
    chat: {
      seq,
      at,
      title: ifChanged('title'),
      metadata: ifChanged('metadata'),
      activeBranchId: ifChanged('activeThreadId'),
      nextLane,
      undoSeq,
      redoSeq,
    },
  }
}

function eventRow(event: Written['rows']['events'][number]): Rows['events'][number] {
  const { seq, streamId: stream, eventNumber: number, type, version, payload, actor, createdAt: at } = event
  return { seq, stream, number, messageId: recordedMessage(event), type, version, payload, actor, at }
}

function keptRow(chatId: ChatId, { kind, state, at }: Extract<Deed, { do: 'keep' }>): Rows['deeds'][number] {
  const { version, ...kept } = state
  const time = new Date(at).toISOString()
  const begun = { chatId, firstBranchId: kept.branchId, createdAt: time }
  const row: Record<string, unknown> = {
    ...kept,
    endedAt: kept.status === 'done' || kept.status === 'stopped' ? time : null,
    ...(version === undefined ? begun : { version: version + 1 }),
  }
  const columns = Object.entries(getTableColumns(schema[kind]))
  const what = Object.fromEntries(columns.map(([key, { name }]) => [name, row[key]]))
  return { do: 'keep', kind, id: kept.id, version, what }
}

type Mark = ReturnType<typeof markOf>

/** The number of rows so far, and the other values that a change may replace. */
const markOf = ({ rows, bodies }: Written) => ({
  ownerId: rows.ownerId,
  create: rows.create,
  at: rows.at,
  contexts: rows.contexts.length,
  lanes: rows.lanes.length,
  messages: rows.messages.length,
  events: rows.events.length,
  deeds: rows.deeds.length,
  files: rows.files.length,
  bodies: bodies.length,
})

/** Takes back the rows after a mark. */
function rollBack({ rows, bodies }: Written, mark: Mark): void {
  const { ownerId, create, at } = mark
  Object.assign(rows, { ownerId, create, at })
  for (const kind of ['contexts', 'lanes', 'messages', 'events', 'deeds', 'files'] as const)
    rows[kind].length = mark[kind]
  bodies.length = mark.bodies
}
