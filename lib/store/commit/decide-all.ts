import { quotaJson } from '../access/quota'
import type { Asked, Done } from './asked'
import { decideChange, noRows, type Written } from './decide-change'
import { NotReadError } from './read-map'
import { copyOf, type Slice } from './slice'

/** Letters of bodies that are written together at most, and changes: a chat's other writes wait meanwhile. */
const LETTERS = 1_000_000

/** Some changes as they are to be written: what each one does, or why it is refused. */
export interface Decided {
  /** the chat as they leave it */
  slice: Slice
  written: Written
  quotas: string[]
  /** one for each change; there may be more changes than are written together */
  outcomes: (Done | { refused: unknown })[]
}

/**
 * Decides changes of one chat one after the other. One that is refused leaves nothing, and those after it go on.
 *
 * @param slice stays as it is
 * @throws NotReadError
 */
export function decideAll(slice: Slice, changes: readonly Asked[]): Decided {
  const all: Decided = { slice, written: noRows(slice), quotas: [], outcomes: [] }
  let letters = 0
  for (const asked of changes) {
    if (letters > LETTERS) break
    const draft = copyOf(all.slice)
    const before = markOf(all.written)
    try {
      const change = asked.plan(draft)
      const { added, ...committed } = decideChange(draft, change, all.written)
      const bodies = all.written.bodies.slice(before.bodies)
      for (const body of bodies) letters += body.length
      const { counting } = asked
      const quota = counting && quotaJson({ ...asked.use(change, bodies), ...added }, counting)
      all.outcomes.push({ repeated: false, committed, answer: asked.answer?.(draft) })
      if (quota !== undefined) all.quotas.push(quota)
      all.slice = draft
    } catch (refused) {
      if (refused instanceof NotReadError) throw refused
      rollBack(all.written, before)
      all.outcomes.push({ refused })
    }
  }
  return all
}

type Mark = ReturnType<typeof markOf>

/** The numbers of rows that have been written, and what else a change may replace. */
const markOf = ({ rows, bodies }: Written) => ({
  ownerId: rows.ownerId,
  createdAt: rows.createdAt,
  create: rows.create,
  chat: { ...rows.chat },
  contexts: rows.contexts.length,
  lanes: rows.lanes.length,
  messages: rows.messages.length,
  events: rows.events.length,
  deeds: rows.deeds.length,
  files: rows.files.length,
  bodies: bodies.length,
})

/** Takes back what was written after a mark. */
function rollBack({ rows, bodies }: Written, mark: Mark): void {
  const { ownerId, createdAt, create, chat } = mark
  Object.assign(rows, { ownerId, createdAt, create, chat })
  for (const kind of ['contexts', 'lanes', 'messages', 'events', 'deeds', 'files'] as const)
    rows[kind].length = mark[kind]
  bodies.length = mark.bodies
}
