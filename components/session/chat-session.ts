import type { BranchId, MessageId } from '@/lib/events'
import { extendIndex, type GraphIndex, indexGraph } from '@/lib/graph/graph-index'
import type { ChatMessage, ChatView, Graph, GraphDelta } from '@/lib/protocol'
import { applyDelta } from '@/lib/protocol'
import { page, type Shown, shownAround, shownEnd, shownLater } from './thread-rows'
import { isOver, type Turn } from './turn'

/** The state of the chat page. Messages are immutable, so a body once loaded stays valid. */
export interface ChatSession extends Shown {
  index: GraphIndex
  /** a long chat opens with the messages of its thread; the others follow */
  whole: boolean
  bodies: ReadonlyMap<MessageId, ChatMessage>
  /** the branch being read in this tab */
  branchId: BranchId
  /** the branch to return to after a look at the past on another branch; null without a look */
  lookedFrom: BranchId | null
  /** the node picked in the graph */
  selectedId: MessageId | null
  /** replies on their way, at most one per branch */
  turns: readonly Turn[]
  /** everything up to this position of the log has been read; the page's own writes do not move it */
  readTo: number
  /** nothing of this chat is stored yet: its one branch is a stand-in */
  unsaved: boolean
  /** a model that was chosen here, and that the branch does not have yet */
  chosen: ModelChoice | null
}

interface ModelChoice {
  branchId: BranchId
  model: string
}

export type ChatAction =
  /** `goTo` is followed only by a reader still on `from`; `complete`: it holds all that came after `readTo` */
  | {
      type: 'delta'
      complete?: boolean
      delta: GraphDelta
      bodies?: ChatMessage[]
      goTo?: BranchId
      from?: BranchId
    }
  | { type: 'whole'; graph: Graph }
  | { type: 'bodies'; bodies: ChatMessage[] }
  /** reads a branch, or stays on the branch that was only looked at */
  | { type: 'branch'; branchId: BranchId }
  /** reads another branch until the look is over */
  | { type: 'look'; branchId: BranchId }
  | { type: 'look over' }
  | { type: 'select'; id: MessageId | null }
  /** adds a page of messages to the thread, before the first or after the last */
  | { type: 'earlier' }
  | { type: 'later' }
  /** brings the message at a depth into the thread */
  | { type: 'around'; depth: number }
  | { type: 'end' }
  /** a model is chosen; the server has taken the choice, or refused it */
  | { type: 'choose' | 'chosen'; choice: ModelChoice }
  /** a turn began, changed, or is over */
  | { type: 'turn'; turn: Turn }

export function openChat(view: ChatView, unsaved: boolean): ChatSession {
  return {
    index: indexGraph(view.graph),
    whole: !view.partial,
    bodies: withBodies(new Map(), view.window.messages),
    branchId: view.branchId,
    lookedFrom: null,
    floor: view.window.start,
    ceiling: null,
    selectedId: null,
    turns: [],
    readTo: view.graph.seq,
    unsaved,
    chosen: null,
  }
}

/** The reducer of the page. A write comes in as its delta and never needs a fetch. */
export function changeChat(state: ChatSession, action: ChatAction): ChatSession {
  switch (action.type) {
    case 'delta': {
      const after = withDelta(state, action.delta, action.bodies)
      const next = action.complete ? { ...after, readTo: Math.max(after.readTo, action.delta.seq) } : after
      const follows = action.goTo && (action.from === undefined || action.from === state.branchId)
      return follows && action.goTo ? onBranch(next, action.goTo) : next
    }
    case 'whole':
      return withWhole(state, action.graph)
    case 'bodies':
      return { ...state, bodies: withBodies(state.bodies, action.bodies) }
    case 'branch':
      if (state.branchId !== action.branchId) return onBranch(state, action.branchId)
      return state.lookedFrom === null ? state : { ...state, lookedFrom: null }
    case 'look': {
      if (state.branchId === action.branchId) return state
      return { ...onBranch(state, action.branchId), lookedFrom: state.lookedFrom ?? state.branchId }
    }
    case 'look over':
      return state.lookedFrom === null ? state : onBranch(state, state.lookedFrom)
    case 'select':
      return { ...state, selectedId: action.id }
    case 'earlier':
      return { ...state, floor: Math.max(0, state.floor - page) }
    case 'around':
      return { ...state, ...shownAround(state, action.depth, lengthOf(state)) }
    case 'later':
      return { ...state, ...shownLater(state, lengthOf(state)) }
    case 'end':
      return { ...state, ...shownEnd(state, lengthOf(state)) }
    case 'choose':
      return { ...state, chosen: action.choice }
    case 'chosen':
      return state.chosen === action.choice ? { ...state, chosen: null } : state
    case 'turn':
      return withTurn(state, action.turn)
  }
}

/** The last message of a branch; null while it is empty or unknown. */
export function headOf(index: GraphIndex, branchId: BranchId): MessageId | null {
  return index.branch(branchId)?.headId ?? null
}

export function isArchived(index: GraphIndex, branchId: BranchId): boolean {
  return (index.branch(branchId)?.archivedAt ?? null) !== null
}

/** True when something of a chat is being written that a person waits for. */
export const isAwaited = ({ index, turns }: Pick<ChatSession, 'index' | 'turns'>): boolean =>
  turns.length > 0 || isBusy(index.graph)

const isBusy = ({ runs, replays = [] }: Graph): boolean =>
  runs.length > 0 || replays.some(({ status }) => status === 'running')

function withDelta(state: ChatSession, delta: GraphDelta, bodies: ChatMessage[] = []): ChatSession {
  const saves = state.unsaved && (delta.branches?.length ?? 0) > 0
  const before = state.index.graph
  const graph = applyDelta(saves ? { ...before, branches: [] } : before, delta)
  const next = {
    ...state,
    index: extendIndex(state.index, graph),
    bodies: withBodies(state.bodies, bodies),
    unsaved: state.unsaved && !saves,
  }
  const known = graph.branches.some((branch) => branch.id === state.branchId)
  const branchId = known ? state.branchId : graph.activeBranchId
  return { ...next, branchId, chosen: saves ? chosenSince(next, branchId) : next.chosen }
}

/** A choice that was made while the chat was being stored: its branch may have another id now. */
function chosenSince({ chosen, index }: ChatSession, branchId: BranchId): ModelChoice | null {
  if (!chosen || index.branch(branchId)?.model === chosen.model) return null
  return { branchId, model: chosen.model }
}

/** Replaces a turn; a turn that is over gives way to its stored reply in one step. */
function withTurn(state: ChatSession, turn: Turn): ChatSession {
  const { phase } = turn
  const next = phase.is === 'ended' && phase.delta ? withDelta(state, phase.delta, phase.bodies) : state
  const at = next.turns.findIndex(({ key }) => key === turn.key)
  if (isOver(turn)) return { ...next, turns: next.turns.filter(({ key }) => key !== turn.key) }
  return { ...next, turns: at < 0 ? [...next.turns, turn] : next.turns.with(at, turn) }
}

/** Puts the whole graph in place. A graph older than the page's is ignored. */
function withWhole(state: ChatSession, graph: Graph): ChatSession {
  const before = state.index.graph
  if (graph.seq < before.seq) return state
  // a run may begin without an event
  const { runs } = before
  const now =
    graph.seq === before.seq ? applyDelta(graph, { chatId: graph.chatId, seq: graph.seq, runs }) : graph
  const next = { ...state, index: indexGraph(now), whole: true, readTo: Math.max(state.readTo, graph.seq) }
  const head = headOf(state.index, state.branchId)
  // a branch opened meanwhile could show nothing until now
  return head !== null && !state.index.byId(head) ? onBranch(next, state.branchId) : next
}

/** Keeps the depth in view when versions are flipped; a long chain still opens on its end. */
function onBranch(state: ChatSession, branchId: BranchId): ChatSession {
  const length = lengthOf({ index: state.index, branchId })
  const floor = Math.max(0, length - 4 * page, Math.min(state.floor, length - page))
  return { ...state, branchId, lookedFrom: null, floor, ceiling: null, selectedId: null }
}

function lengthOf({ index, branchId }: Pick<ChatSession, 'index' | 'branchId'>): number {
  const head = headOf(index, branchId)
  return head === null ? 0 : (index.byId(head)?.depth ?? -1) + 1
}

function withBodies(
  bodies: ReadonlyMap<MessageId, ChatMessage>,
  more: readonly ChatMessage[],
): ReadonlyMap<MessageId, ChatMessage> {
  if (more.length === 0) return bodies
  const next = new Map(bodies)
  for (const message of more) next.set(message.id, message)
  return next
}
