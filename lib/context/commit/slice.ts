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
import { ReadMap } from './read-map'

/** Where a message stands in its chat. */
export interface MessagePlace {
  lane: number
  depth: number
  /** a reply stands right below it, in its lane */
  taken: boolean
}

/** What the prompt of a branch has of its context. */
export interface ContextFacts {
  model: string | null
  leftOut: MessageId[] | null
}

/** The parts of a chat that some changes look at, as they were after one of its events: what `decide` reads. */
export interface Slice extends Draft {
  /** undefined where all of the chat is known: one that was not there */
  inPart?: InPart | undefined
  threads: ReadMap<Thread>
  checkpoints: ReadMap<SavedCheckpoint>
  steerings: ReadMap<Steering>
  messages: ReadMap<RecordedMessage>
  places: ReadMap<MessagePlace>
  facts: ReadMap<ContextFacts>
  runs: ReadMap<RunState>
  stands: ReadMap<ThreadStand>
  /** who has a name; null where nothing has */
  names: ReadMap<BranchId | null>
  /** null where there is no such chat yet */
  ownerId: UserId | null
  nextLane: number
}

/** The places to read, by what is read: a change names them before it is decided. */
export interface Needs {
  branches: Set<BranchId>
  /** each with its place */
  messages: Set<MessageId>
  /** messages that a branch forks at: the threads that recorded them are read too */
  forks: Set<MessageId>
  checkpoints: Set<string>
  names: Set<string>
  contexts: Set<ContextId>
  runs: Set<string>
  /** a thread and a number, as `standKey` has them */
  stands: Set<string>
  steerings: Set<BranchId>
  /** moves that another one may join */
  moves: Set<number>
}

export const standKey = (threadId: BranchId, number: number): string => `${number} ${threadId}`

export const noNeeds = (): Needs => ({
  branches: new Set(),
  messages: new Set(),
  forks: new Set(),
  checkpoints: new Set(),
  names: new Set(),
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
  const { threads, checkpoints, steerings, messages, places, facts, runs, stands, names } = slice
  for (const map of [threads, checkpoints, steerings, messages, places, facts, runs, stands, names])
    map.isWhole = true
  slice.inPart = undefined
  return slice
}

/** A slice to go on from: the given one stays as it is. */
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

/** How much a slice holds. */
export const sizeOfSlice = ({ threads, messages, names, stands }: Slice): number =>
  threads.size + messages.size + names.size + stands.size

/** Has a slice answer for what `decide` would walk a whole chat through for. */
function answering(slice: Slice): Slice {
  const { threads, names, stands } = slice
  const hasName = (name: string) => {
    for (const thread of threads.values()) if (thread.name === name) return true
    return false
  }
  slice.inPart = {
    isNameTaken(name) {
      if (hasName(name)) return true
      const had = names.get(name)
      // the branch that had it may have another one by now
      return had != null && !(threads.isRead(had) && threads.get(had) !== undefined)
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
