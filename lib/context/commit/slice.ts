import {
  type BranchId,
  type ChatId,
  type ContextId,
  type Draft,
  type InPart,
  type MessageId,
  noRefs,
  type RecordedMessage,
  type RunState,
  type SavedCheckpoint,
  type Steering,
  type Thread,
  type ThreadStand,
  type UserId,
} from '@/lib/events'
import { NotFoundError } from '../store/errors'
import { NotReadError, ReadMap } from './read-map'

export interface MessagePlace {
  lane: number
  depth: number
  /** a reply stands right below it, in its lane */
  taken: boolean
}

/** Facts of a context that a branch's prompt needs. */
export interface ContextFacts {
  model: string | null
  leftOut: MessageId[] | null
}

/** Parts of a chat, as they were after one of its events, for `decide` to read. */
export interface Slice extends Draft {
  /** undefined when the whole chat is known: then a missing entry does not exist */
  inPart?: InPart | undefined
  threads: ReadMap<Thread>
  checkpoints: ReadMap<SavedCheckpoint>
  steerings: ReadMap<Steering>
  messages: ReadMap<RecordedMessage>
  places: ReadMap<MessagePlace>
  facts: ReadMap<ContextFacts>
  runs: ReadMap<RunState>
  stands: ReadMap<ThreadStand>
  /** the branch with a name; null for a name without a branch */
  names: ReadMap<BranchId | null>
  /** free names by their base name, in the order in which they are taken */
  freeNames: ReadMap<readonly string[]>
  /** null before the chat exists */
  ownerId: UserId | null
  nextLane: number
}

/** Parts to read, by kind: a change names them before it is decided. */
export interface Needs {
  branches: Set<BranchId>
  /** each with its place */
  messages: Set<MessageId>
  /** messages that a branch forks at: the threads that recorded them are read too */
  forks: Set<MessageId>
  checkpoints: Set<string>
  names: Set<string>
  /** number of free names to read, by base name */
  freeNames: Map<string, number>
  contexts: Set<ContextId>
  runs: Set<string>
  /** a thread and a number, as `standKey` has them */
  stands: Set<string>
  steerings: Set<BranchId>
  /** moves that a later move may join */
  moves: Set<number>
}

export const standKey = (threadId: BranchId, number: number): string => `${number} ${threadId}`

export const noNeeds = (): Needs => ({
  branches: new Set(),
  messages: new Set(),
  forks: new Set(),
  checkpoints: new Set(),
  names: new Set(),
  freeNames: new Map(),
  contexts: new Set(),
  runs: new Set(),
  stands: new Set(),
  steerings: new Set(),
  moves: new Set(),
})

/** A chat of which nothing was read. */
export function unreadSlice(chatId: ChatId): Slice {
  const slice: Slice = {
    ...noRefs(chatId),
    threads: new ReadMap('branches'),
    checkpoints: new ReadMap('checkpoints'),
    steerings: new ReadMap('steerings'),
    messages: new ReadMap('messages'),
    places: new ReadMap('messages'),
    facts: new ReadMap('contexts'),
    runs: new ReadMap('runs'),
    stands: new ReadMap('stands'),
    names: new ReadMap('names'),
    freeNames: new ReadMap('freeNames'),
    contexts: new Map(),
    headMoves: new Map(),
    ownerId: null,
    nextLane: 0,
  }
  // the stream of the chat itself is no thread
  slice.threads.leaveOut(chatId)
  return answering(slice)
}

/** A chat that is not there: all of it is known. */
export function noSlice(chatId: ChatId): Slice {
  const slice = unreadSlice(chatId)
  const { threads, checkpoints, steerings, messages, places, facts, runs, stands, names, freeNames } = slice
  for (const map of [
    threads,
    checkpoints,
    steerings,
    messages,
    places,
    facts,
    runs,
    stands,
    names,
    freeNames,
  ])
    map.isWhole = true
  slice.inPart = undefined
  return slice
}

/** A copy of a slice to change: the given one stays as it is. */
export function copySlice(slice: Slice): Slice {
  const copy: Slice = {
    ...slice,
    threads: slice.threads.copy(),
    checkpoints: slice.checkpoints.copy(),
    steerings: slice.steerings.copy(),
    messages: slice.messages.copy(),
    places: slice.places.copy(),
    facts: slice.facts.copy(),
    runs: slice.runs.copy(),
    contexts: new Map(slice.contexts),
    headMoves: new Map(slice.headMoves),
  }
  return slice.inPart ? answering(copy) : copy
}

export const sizeOfSlice = ({ threads, messages, names, freeNames, stands }: Slice): number =>
  threads.size + messages.size + names.size + freeNames.size + stands.size

/** Lets a slice answer the questions for which `decide` would walk through a whole chat. */
function answering(slice: Slice): Slice {
  const { threads, names, freeNames, stands } = slice
  const hasName = (name: string) => {
    for (const thread of threads.values()) if (thread.name === name) return true
    return false
  }
  slice.inPart = {
    isNameTaken(name) {
      if (hasName(name)) return true
      const had = names.get(name)
      // the branch that had it may have another name by now
      return had != null && !(threads.isRead(had) && threads.get(had) !== undefined)
    },
    freeName(base) {
      const free = freeNames.get(base)?.find((name) => !hasName(name))
      if (free === undefined) throw new NotReadError('freeNames', base)
      return free
    },
    threadAt: (threadId, number) => stands.get(standKey(threadId, number)) ?? { head: null, contextId: null },
  }
  return slice
}

/** @throws NotFoundError for a message that is not there */
export function placeOf({ places }: Slice, id: MessageId): MessagePlace {
  const place = places.get(id)
  if (!place) throw new NotFoundError('message', id)
  return place
}

/** Throws for a context that is not stored, as the keys of the tables would. */
export function requireContext({ facts }: Slice, id: string | null | undefined): void {
  if (id != null && !facts.get(id)) throw new Error(`Context "${id}" is not stored`)
}
