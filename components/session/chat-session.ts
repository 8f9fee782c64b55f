import type { BranchId, MessageId } from '@/lib/events'
import { extendIndex, type GraphIndex, indexGraph } from '@/lib/graph/graph-index'
import type { ChatMessage, ChatView, Graph, GraphDelta } from '@/lib/protocol'
import { applyDelta } from '@/lib/protocol'
import { page, type Shown, shownAround, shownEnd, shownLater } from './thread-rows'
import { isOver, type Turn } from './turn'

/** All the chat page knows. Messages are immutable, so a body once read stays good. */
export interface ChatSession extends Shown {
  index: GraphIndex
  /** a long chat opens with the messages of its thread; the others follow */
  whole: boolean
  bodies: ReadonlyMap<MessageId, ChatMessage>
  /** the branch being read in this tab */
  branchId: BranchId
  /** where they were before they looked at the past on another branch; null when nothing is only looked at */
  lookedFrom: BranchId | null
  /** the node picked in the graph */
  selectedId: MessageId | null
  /** replies on their way, at most one per branch */
  turns: readonly Turn[]
  /** everything up to this position of the log has been read; a write of one's own says nothing of what came before it */
  readTo: number
  /** nothing of this chat is stored yet: its one branch is a stand-in */
  unsaved: boolean
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
  /** the branch being read already is stayed on, even if it was only looked at */
  | { type: 'branch'; branchId: BranchId }
  /** reads another branch until the look is over */
  | { type: 'look'; branchId: BranchId }
  | { type: 'look over' }
  | { type: 'select'; id: MessageId | null }
  | { type: 'floor'; depth: number }
  /** makes the message at a depth part of what the thread shows */
  | { type: 'around'; depth: number }
  | { type: 'later' }
  | { type: 'end' }
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
  }
}

/** Every change to the page goes through here; after a write that is the write's delta, never a fetch. */
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
    case 'floor':
      return { ...state, floor: Math.max(0, action.depth) }
    case 'around':
      return { ...state, ...shownAround(state, action.depth, lengthOf(state)) }
    case 'later':
      return { ...state, ...shownLater(state, lengthOf(state)) }
    case 'end':
      return { ...state, ...shownEnd(state, lengthOf(state)) }
    case 'turn':
      return withTurn(state, action.turn)
  }
}

/** The last message of a branch; null while it is empty or unknown. */
export function headOf(index: GraphIndex, branchId: BranchId): MessageId | null {
  return index.branch(branchId)?.headId ?? null
}

/** Whether a branch has been put away. */
export function isArchived(index: GraphIndex, branchId: BranchId): boolean {
  return (index.branch(branchId)?.archivedAt ?? null) !== null
}

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
  return known ? next : { ...next, branchId: graph.activeBranchId }
}

/** In one step a turn that is over goes, and the reply it brought comes. */
function withTurn(state: ChatSession, turn: Turn): ChatSession {
  const { phase } = turn
  const next = phase.is === 'ended' && phase.delta ? withDelta(state, phase.delta, phase.bodies) : state
  const at = next.turns.findIndex(({ key }) => key === turn.key)
  if (isOver(turn)) return { ...next, turns: next.turns.filter(({ key }) => key !== turn.key) }
  return { ...next, turns: at < 0 ? [...next.turns, turn] : next.turns.with(at, turn) }
}

/** An answer that is older than what the page knows by now is no use: it has to be asked for again. */
function withWhole(state: ChatSession, graph: Graph): ChatSession {
  const before = state.index.graph
  if (graph.seq < before.seq) return state
  // a run may begin without an event
  const { runs } = before
  const now =
    graph.seq === before.seq ? applyDelta(graph, { chatId: graph.chatId, seq: graph.seq, runs }) : graph
  const next = { ...state, index: indexGraph(now), whole: true, readTo: Math.max(state.readTo, graph.seq) }
  const head = headOf(state.index, state.branchId)
  // of a branch that was opened meanwhile nothing could be shown
  return head !== null && !state.index.byId(head) ? onBranch(next, state.branchId) : next
}

/** The same depth stays in view when versions are flipped, but a long chain still opens on its end. */
function onBranch(state: ChatSession, branchId: BranchId): ChatSession {
  const length = lengthOf({ index: state.index, branchId })
  const floor = Math.max(0, length - 4 * page, Math.min(state.floor, length - page))
  return { ...state, branchId, lookedFrom: null, floor, ceiling: null, selectedId: null }
}

/** How many messages the branch in view has. */
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
