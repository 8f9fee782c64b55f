import { expect } from 'vitest'
import type { BranchData, ContextStore } from '@/lib/context'
import { fold, type LoggedEvent, noChat, recordedMessage } from '@/lib/events'
import { checkFold } from './check-fold'

/** Which event of which thread a fork was asked to inherit last. */
export interface AskedFork {
  threadId: string
  eventNumber: number
}

/**
 * Then the log of a chat holds together, and the refs are what it says: what `npm run db:check` verifies by SQL, asked
 * through the port, so that it holds for every store.
 *
 * @param asked branches that were forked after an event of a thread, by id; all others by a rewind or an edit
 */
export async function checkLog(
  store: ContextStore,
  chatId: string,
  asked: ReadonlyMap<string, AskedFork> = new Map(),
): Promise<void> {
  const events = await store.getEvents(chatId)
  const branches = await store.listBranches(chatId)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  const streams = new Map<string, LoggedEvent[]>()
  for (const event of events) streams.set(event.streamId, [...(streams.get(event.streamId) ?? []), event])
  expect([...streams.keys()].filter((id) => id !== chatId).sort()).toEqual(
    branches.map(({ id }) => id).sort(),
  )
  expectNumbered(streams.get(chatId) ?? [], 0)
  for (const branch of branches) {
    const own = streams.get(branch.id) ?? []
    expectNumbered(own, branch.fromEventNumber)
    expectOrigin(branch, own)
    expectCheckpoints(own)
    const fork = asked.get(branch.id)
    if (fork)
      expect([branch.parentBranchId, branch.fromEventNumber]).toEqual([fork.threadId, fork.eventNumber])
    else expectForkPoint(branch, own, streams)
    await expectHistory(store, chatId, branch, history(branch, branches, streams))
  }
  const recorded = events.flatMap((event) => recordedMessage(event) ?? []).sort()
  expect(recorded).toEqual((await store.getMessages(chatId)).map(({ id }) => id).sort())
  expectMoves(events)
  await checkFold(store, chatId)
}

function expectNumbered(events: LoggedEvent[], from: number): void {
  expect(events.map(({ eventNumber }) => eventNumber)).toEqual(events.map((_, index) => from + index + 1))
}

/** A thread begins with what it is and, when it is a fork, where it left the other thread; nowhere else is that said. */
function expectOrigin(branch: BranchData, own: LoggedEvent[]): void {
  const { id, parentBranchId, fromEventNumber } = branch
  expect(own[0]).toMatchObject({ type: 'ThreadCreated', payload: { thread_id: id } })
  const fork = { parent_thread_id: parentBranchId, from_event_number: fromEventNumber }
  const said = own.flatMap(({ type, payload }, index) =>
    type === 'ThreadForked' ? [{ index, payload }] : [],
  )
  expect(said).toEqual(parentBranchId === null ? [] : [{ index: 1, payload: fork }])
  expect(own.filter(({ type }) => type === 'ThreadCreated')).toHaveLength(1)
}

/**
 * A rewind forks at the number of the message it goes back to, an edit right before that of the message it replaces,
 * and at 0 where that is a root (DESIGN.md §9).
 */
function expectForkPoint(branch: BranchData, own: LoggedEvent[], streams: Map<string, LoggedEvent[]>): void {
  const { parentBranchId, fromEventNumber } = branch
  if (parentBranchId === null) return
  const created = own.find((event) => event.type === 'ThreadCreated')
  const head = created?.payload.head_message_id ?? null
  const recorded = (streams.get(parentBranchId) ?? []).filter((event) => recordedMessage(event) !== undefined)
  const rewound = recorded.filter((event) => recordedMessage(event) === head)
  const edited = recorded.map(({ eventNumber }) => eventNumber - 1)
  const numbers = rewound.map(({ eventNumber }) => eventNumber)
  expect(head === null ? [0] : [...numbers, ...edited]).toContain(fromEventNumber)
}

/** Every reply is followed by its checkpoint, and nothing else is. */
function expectCheckpoints(own: LoggedEvent[]): void {
  const replies = own.flatMap((event, index) =>
    event.type === 'LLMResponseGenerated' ||
    (event.type === 'MessageCopied' && event.payload.role === 'assistant')
      ? [[index + 1, recordedMessage(event)]]
      : [],
  )
  const checkpoints = own.flatMap((event, index) =>
    event.type === 'CheckpointCreated' ? [[index, event.payload.ai_message_id]] : [],
  )
  expect(checkpoints).toEqual(replies)
}

/** What a thread inherits and what it recorded itself, at any depth of forks. */
function history(
  branch: BranchData,
  branches: BranchData[],
  streams: Map<string, LoggedEvent[]>,
): LoggedEvent[] {
  const own = streams.get(branch.id) ?? []
  const parent = branches.find(({ id }) => id === branch.parentBranchId)
  if (!parent) return own
  const inherited = history(parent, branches, streams)
  return [...inherited.filter(({ eventNumber }) => eventNumber <= branch.fromEventNumber), ...own]
}

/** The messages of a thread's history are its branch's chain, and its numbers are one rising sequence. */
async function expectHistory(
  store: ContextStore,
  chatId: string,
  branch: BranchData,
  events: LoggedEvent[],
): Promise<void> {
  expect(events.map(({ eventNumber }) => eventNumber)).toEqual(events.map((_, index) => index + 1))
  const { headMessageId } = branch
  const chain = headMessageId === null ? [] : await store.getMessageChain(chatId, headMessageId)
  expect(standingOf(events), `the history of ${branch.name}`).toEqual(chain.map(({ id }) => id))
  expect(chain.map(({ parentId }) => parentId)).toEqual(
    [null, ...chain.map(({ id }) => id)].slice(0, chain.length),
  )
  if (headMessageId !== null) expect(await store.countChain(chatId, headMessageId)).toBe(chain.length)
}

/** The messages that the events of a history leave a thread with: a head that moved goes back to one of them, or on again. */
function standingOf(events: LoggedEvent[]): string[] {
  const chains = new Map<string, string[]>()
  let chain: string[] = []
  for (const event of events) {
    const recorded = recordedMessage(event)
    if (recorded !== undefined) chain = [...chain, recorded]
    if (recorded !== undefined) chains.set(recorded, chain)
    if (event.type !== 'HeadMoved') continue
    const { head_message_id: head } = event.payload
    chain = head === null ? [] : (chains.get(head) ?? [])
  }
  return chain
}

/** What an event says was there before it was. */
function expectMoves(events: LoggedEvent[]): void {
  let state = noChat(events[0]?.chatId ?? '')
  for (const event of events) {
    const { type, payload } = event
    if (type === 'BranchSwitched') expect(payload.from_branch_id).toBe(state.activeThreadId)
    if (type === 'BranchRenamed') {
      expect(payload.previous_name).toBe(state.threads.get(payload.branch_id)?.name)
    }
    if (type === 'CheckpointSaved') expect([...state.checkpoints.keys()]).not.toContain(payload.name)
    if (type === 'CheckpointMoved') {
      expect(payload.from_message_id).toBe(state.checkpoints.get(payload.name)?.messageId)
    }
    if (type === 'CheckpointRemoved') {
      expect(payload.message_id).toBe(state.checkpoints.get(payload.name)?.messageId)
    }
    state = fold(state, [event])
  }
}
