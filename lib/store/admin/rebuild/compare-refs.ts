import { canonicalJson } from '@/lib/context'
import { type ChatRefs, newId, type SavedCheckpoint, type Thread } from '@/lib/events'
import type { LiveBranch, LiveChat, LiveCheckpoint, LiveSteering } from './live-chat'

/** A stored value that differs from the log's. */
export interface Difference {
  chatId: string
  /** such as `branch main` */
  thing: string
  /** the differing property, such as `its head` */
  what: string
  is: string
  /** the log's value */
  log: string
}

/** Refs that a chat should have, as `rebuild_chat` takes them. */
export interface WantedChat {
  chatId: string
  seq: number
  title: string | null
  metadata: Readonly<Record<string, unknown>>
  activeBranchId: string | null
  undoSeq: number | null
  redoSeq: number | null
  createdAt: number
  updatedAt: number
  branches: LiveBranch[]
  checkpoints: LiveCheckpoint[]
  steerings: LiveSteering[]
}

/**
 * The log's refs of a chat, as rows of the database. The log lacks the ids of checkpoints that were saved
 * before events named them: such a checkpoint keeps the stored id of its name, else it gets a new one.
 */
export function wantedChat(refs: ChatRefs, live: LiveChat): WantedChat {
  const ids = new Map(live.checkpoints.map(({ name, id }) => [name, id]))
  const { chatId, seq, title, metadata, activeThreadId: activeBranchId, undoSeq, redoSeq } = refs
  const { createdAt, updatedAt } = refs
  return {
    chatId,
    seq,
    title,
    metadata,
    activeBranchId,
    undoSeq,
    redoSeq,
    createdAt,
    updatedAt,
    branches: [...refs.threads.values()].map(wantedBranch),
    checkpoints: [...refs.checkpoints.values()].map((checkpoint) => wantedCheckpoint(checkpoint, ids)),
    steerings: [...refs.steerings].map(([branchId, { to: toId, at, followedAt }]) => ({
      branchId,
      toId,
      at,
      followedAt,
    })),
  }
}

const wantedBranch = ({ id, name, title, headMessageId, parentThreadId, ...thread }: Thread): LiveBranch => ({
  id,
  name,
  title,
  messageId: headMessageId,
  parentId: parentThreadId,
  contextId: thread.contextId,
  fromEventNumber: thread.fromEventNumber,
  createdAt: thread.createdAt,
  archivedAt: thread.archivedAt,
})

const wantedCheckpoint = (
  { id, name, messageId, savedAt }: SavedCheckpoint,
  ids: ReadonlyMap<string, string>,
): LiveCheckpoint => ({ id: id ?? ids.get(name) ?? newId(), name, messageId, savedAt })

/** All refs of a chat that differ from the log's. */
export function compareRefs(live: LiveChat, wanted: WantedChat): Difference[] {
  const chatId = live.id
  const found: Difference[] = []
  const compare = (thing: string, what: string, is: unknown, log: unknown) => {
    if (is === log || canonicalJson(is) === canonicalJson(log)) return
    found.push({ chatId, thing, what, is: inWords(is), log: inWords(log) })
  }
  const chat = 'the chat'
  compare(chat, 'its title', live.title, wanted.title)
  compare(chat, 'its metadata', live.metadata, wanted.metadata)
  compare(chat, 'its active branch', live.activeBranchId, wanted.activeBranchId)
  compare(chat, 'what Undo takes back', live.undoSeq, wanted.undoSeq)
  compare(chat, 'what Redo makes again', live.redoSeq, wanted.redoSeq)
  compare(chat, 'its last event', live.lastSeq, wanted.seq)
  compare(chat, 'its next lane', live.nextLane, live.freeLane)
  compare(chat, 'its beginning', live.createdAt, wanted.createdAt)
  // changes without an event, such as a request for a reply, touch the chat too
  if (live.updatedAt < wanted.updatedAt) {
    compare(chat, 'its last change', live.updatedAt, wanted.updatedAt)
  }
  for (const [id, is, log] of pairs(live.branches, wanted.branches, ({ id }) => id)) {
    const thing = `branch ${is?.name ?? log?.name ?? id}`
    if (!is || !log) {
      compare(thing, 'it', is ? 'there' : 'missing', log ? 'there' : 'nothing of it')
      continue
    }
    compare(`branch ${id}`, 'its name', is.name, log.name)
    compare(thing, 'its title', is.title, log.title)
    compare(thing, 'its head', is.messageId, log.messageId)
    compare(thing, 'its parent', is.parentId, log.parentId)
    compare(thing, 'its last inherited event', is.fromEventNumber, log.fromEventNumber)
    compare(thing, 'its context', is.contextId, log.contextId)
    compare(thing, 'its beginning', is.createdAt, log.createdAt)
    compare(thing, 'the time it was archived', is.archivedAt, log.archivedAt)
  }
  for (const [name, is, log] of pairs(live.checkpoints, wanted.checkpoints, ({ name }) => name)) {
    const thing = `checkpoint ${name}`
    if (!is || !log) {
      compare(thing, 'it', is ? 'there' : 'missing', log ? 'there' : 'nothing of it')
      continue
    }
    compare(thing, 'its id', is.id, log.id)
    compare(thing, 'its message', is.messageId, log.messageId)
    compare(thing, 'the time it was saved', is.savedAt, log.savedAt)
  }
  for (const [id, is, log] of pairs(live.steerings, wanted.steerings, ({ branchId }) => branchId)) {
    compare(`branch ${id}`, 'where its agent is steered to', is, log)
  }
  return found
}

/** Pairs live and wanted items by key. */
function pairs<T>(live: readonly T[], wanted: readonly T[], key: (item: T) => string) {
  const [here, there] = [live, wanted].map((items) => new Map(items.map((item) => [key(item), item])))
  return [...new Set([...(here?.keys() ?? []), ...(there?.keys() ?? [])])].map(
    (id) => [id, here?.get(id), there?.get(id)] as const,
  )
}

const inWords = (value: unknown): string =>
  value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
