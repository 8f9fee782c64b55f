import { placeOf, type Slice } from '@/lib/context'
import type { Thread } from '@/lib/events'
import type { RefRows } from './rows'

/**
 * The rows of refs that differ between two states of a chat: `fold` alone knows which refs an event moves.
 *
 * @param before as it was read
 * @param after as some changes leave it
 * @throws NotReadError
 */
export function changedRefs(before: Slice, after: Slice): RefRows {
  const rows: RefRows = { opened: [], heads: [], named: [], checkpoints: [], forgotten: [], steerings: [] }
  for (const thread of after.threads.values()) {
    const was = before.threads.peek(thread.id)
    if (!was) rows.opened.push({ ...aboutOf(thread), ...standOf(after, thread) })
    else if (thread !== was) takeChanges(rows, was, thread, after)
  }
  for (const checkpoint of after.checkpoints.values()) {
    const { id, name, messageId, savedAt: at } = checkpoint
    if (before.checkpoints.peek(name) === checkpoint) continue
    const { lane, depth } = placeOf(after, messageId)
    rows.checkpoints.push({ id: id ?? '', name, lane, depth, at })
  }
  for (const name of before.checkpoints.keys()) if (!after.checkpoints.has(name)) rows.forgotten.push(name)
  for (const [id, steering] of after.steerings) {
    const { to, at, followedAt } = steering
    if (before.steerings.peek(id) !== steering) rows.steerings.push({ id, to, at, followedAt })
  }
  return rows
}

/** A branch that was there. A turn moves its head and leaves its name alone. */
function takeChanges(rows: RefRows, was: Thread, thread: Thread, after: Slice): void {
  const { id, name, title, archivedAt } = thread
  if (thread.headMessageId !== was.headMessageId || thread.contextId !== was.contextId)
    rows.heads.push({ id, ...standOf(after, thread) })
  if (name !== was.name || title !== was.title || archivedAt !== was.archivedAt)
    rows.named.push({ id, name, title, archivedAt })
}

function aboutOf({
  id,
  name,
  title,
  archivedAt,
  parentThreadId: parent,
  fromEventNumber: from,
  createdAt: at,
}: Thread) {
  return { id, name, title, archivedAt, parent, from, at }
}

function standOf(slice: Slice, { headMessageId, contextId }: Thread) {
  const place = headMessageId === null ? undefined : placeOf(slice, headMessageId)
  return { lane: place?.lane ?? null, depth: place?.depth ?? null, contextId }
}
