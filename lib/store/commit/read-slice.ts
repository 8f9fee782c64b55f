import { type ContextFacts, type Needs, noSlice, type Slice, standKey, unreadSlice } from '@/lib/context'
import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'
import { isStorable } from '../reads/asking'

/** As `read_slice` answers; a part of which nothing was found is null. */
interface SliceRow {
  ownerId: string
  title: string | null
  activeThreadId: string
  nextLane: number
  seq: number
  number: number
  undoSeq: number | null
  redoSeq: number | null
  createdAt: number
  branches: BranchRow[]
  messages: MessageRow[]
  checkpoints: { id: string; name: string; messageId: string; savedAt: number }[] | null
  names: { name: string; id: string | null }[] | null
  freeNames: { base: string; names: string[] }[] | null
  contexts: ({ id: string } & ContextFacts)[] | null
  runs:
    | { id: string; branchId: string; replyTo: string; status: 'queued' | 'running'; fence: number }[]
    | null
  stands: { threadId: string; number: number; head: string | null; contextId: string | null }[] | null
  steerings: { branchId: string; to: string | null; at: number; followedAt: number | null }[] | null
  moves: { seq: number; firstSeq: number; previous: number | null }[] | null
}

interface BranchRow {
  id: string
  name: string
  title: string | null
  parentThreadId: string | null
  fromEventNumber: number
  number: number
  headMessageId: string | null
  contextId: string | null
  createdAt: number
  archivedAt: number | null
  head: Omit<MessageRow, 'id'> | null
  context: ContextFacts | null
}

interface MessageRow {
  id: string
  lane: number
  depth: number
  taken: boolean
  threadId: string | null
  eventNumber: number | null
  parentId: string | null
  contextId: string | null
}

/**
 * Reads the parts of a chat that changes look at, as of one moment. An id that no row can hold counts as
 * missing.
 */
export async function readSlice(query: Database['query'], chatId: ChatId, needs: Needs): Promise<Slice> {
  const storable = (of: Iterable<string>) => [...of].filter(isStorable)
  const asked = {
    branches: storable(needs.branches),
    messages: storable(needs.messages),
    forks: storable(needs.forks),
    checkpoints: storable(needs.checkpoints),
    names: storable(needs.names),
    freeNames: [...needs.freeNames].map(([base, count]) => ({ base, count })),
    contexts: storable(needs.contexts),
    runs: storable(needs.runs),
    stands: storable(needs.stands).map((key) => {
      const space = key.indexOf(' ')
      return { threadId: key.slice(space + 1), number: Number(key.slice(0, space)) }
    }),
    steerings: storable(needs.steerings),
    moves: [...needs.moves],
  }
  const [row] = await query<{ slice: SliceRow | null }>('select read_slice($1, $2::json) as slice', [
    chatId,
    JSON.stringify(asked),
  ])
  if (!row?.slice) return noSlice(chatId)
  const slice = unreadSlice(chatId)
  fill(slice, row.slice)
  leaveOut(slice, needs)
  return slice
}

function fill(slice: Slice, row: SliceRow): void {
  const { ownerId, title, activeThreadId, nextLane, seq, number, undoSeq, redoSeq, createdAt } = row
  Object.assign(slice, { ownerId, title, activeThreadId, nextLane, seq, number, undoSeq, redoSeq, createdAt })
  for (const { head, context, ...thread } of row.branches) {
    slice.threads.set(thread.id, thread)
    if (head && thread.headMessageId !== null) takeMessage(slice, { id: thread.headMessageId, ...head })
    if (context && thread.contextId !== null) slice.facts.set(thread.contextId, context)
  }
  for (const message of row.messages) takeMessage(slice, message)
  for (const checkpoint of row.checkpoints ?? []) slice.checkpoints.set(checkpoint.name, checkpoint)
  for (const { name, id } of row.names ?? []) slice.names.set(name, id)
  for (const { base, names } of row.freeNames ?? []) slice.freeNames.set(base, names)
  for (const { id, model, leftOut } of row.contexts ?? []) slice.facts.set(id, { model, leftOut })
  for (const { id, ...run } of row.runs ?? []) slice.runs.set(id, run)
  for (const { threadId, number: at, ...stand } of row.stands ?? [])
    slice.stands.set(standKey(threadId, at), stand)
  for (const { branchId, ...steering } of row.steerings ?? []) slice.steerings.set(branchId, steering)
  for (const move of row.moves ?? []) slice.lastMove = move
}

function takeMessage({ places, messages }: Slice, { id, lane, depth, taken, ...message }: MessageRow): void {
  places.set(id, { lane, depth, taken })
  const { threadId, eventNumber, parentId, contextId } = message
  if (threadId !== null && eventNumber !== null)
    messages.set(id, { threadId, eventNumber, parentId, contextId })
}

/** Marks the requested entries that do not exist. */
function leaveOut(slice: Slice, needs: Needs): void {
  for (const id of needs.branches) slice.threads.leaveOut(id)
  for (const id of [...needs.messages, ...needs.forks]) {
    slice.messages.leaveOut(id)
    slice.places.leaveOut(id)
  }
  for (const name of needs.checkpoints) slice.checkpoints.leaveOut(name)
  for (const name of needs.names) if (!slice.names.isRead(name)) slice.names.set(name, null)
  for (const id of needs.contexts) slice.facts.leaveOut(id)
  for (const id of needs.runs) slice.runs.leaveOut(id)
  for (const key of needs.stands) slice.stands.leaveOut(key)
  for (const id of needs.steerings) slice.steerings.leaveOut(id)
}

/** Adds the newly read parts of a chat to the known ones at the same event. */
export function addTo(slice: Slice, more: Slice): void {
  slice.threads.takeIn(more.threads)
  slice.messages.takeIn(more.messages)
  slice.places.takeIn(more.places)
  slice.checkpoints.takeIn(more.checkpoints)
  slice.facts.takeIn(more.facts)
  slice.runs.takeIn(more.runs)
  slice.stands.takeIn(more.stands)
  slice.steerings.takeIn(more.steerings)
  slice.names.takeIn(more.names)
  slice.freeNames.takeIn(more.freeNames)
  slice.lastMove = more.lastMove ?? slice.lastMove
}
