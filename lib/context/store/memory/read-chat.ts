import { type BranchId, type MessageId, recordedMessage, steeredTo } from '@/lib/events'
import {
  type BranchData,
  type ChatData,
  type ChatInfo,
  type CheckpointData,
  type GraphData,
  type MessageData,
  movesAtOnce,
  type StoredMove,
} from '../records'
import type { MemoryChat } from './memory-chat'

/** The chain of a message as range reads of lanes, root first; `last` keeps only that many at its end. */
export function readChain(chat: MemoryChat, headId: MessageId, last?: number): MessageData[] {
  const head = chat.messages.get(headId)
  if (!head) return []
  const lowest = last === undefined ? 0 : Math.max(0, head.depth + 1 - last)
  const pieces: MessageId[][] = []
  let lane = chat.lanes[head.lane]
  let top = head.depth
  while (lane && top >= lowest) {
    pieces.push(lane.ids.slice(Math.max(lowest - lane.baseDepth, 0), top - lane.baseDepth + 1))
    top = lane.baseDepth - 1
    lane = lane.parentLane === null ? undefined : chat.lanes[lane.parentLane]
  }
  return pieces.reverse().flatMap((ids) => ids.map((id) => recordOf(chat, id)))
}

/** True when a reply stands right below this message: the first one takes that place. */
export function hasReply(chat: MemoryChat, messageId: MessageId): boolean {
  const message = chat.messages.get(messageId)
  const lane = message && chat.lanes[message.lane]
  return message !== undefined && lane !== undefined && lane.baseDepth + lane.ids.length - 1 > message.depth
}

/** All branches, oldest first, then by id. */
export const readBranches = ({ state, contexts }: MemoryChat): BranchData[] =>
  [...state.threads.values()].sort(byAge).map(({ parentThreadId, number: _number, ...thread }) => {
    const context = contexts.get(thread.contextId ?? '')
    return {
      ...thread,
      chatId: state.chatId,
      parentBranchId: parentThreadId,
      model: context?.model ?? null,
      leftOut: context?.setup?.leftOut ?? null,
      isActive: thread.id === state.activeThreadId,
    }
  })

/** All checkpoints, oldest first, then by id. */
export const readCheckpoints = ({ state: { chatId, checkpoints } }: MemoryChat): CheckpointData[] =>
  [...checkpoints.values()]
    .map(({ id, savedAt, ...rest }) => ({ ...rest, id: id ?? '', chatId, createdAt: savedAt }))
    .sort(byAge)

export const readData = ({ userId, updatedAt, state }: MemoryChat): ChatData => ({
  id: state.chatId,
  userId,
  title: state.title ?? undefined,
  metadata: structuredClone(state.metadata),
  createdAt: state.createdAt,
  updatedAt,
})

export const readInfo = (chat: MemoryChat): ChatInfo => ({
  ...readData(chat),
  messageCount: chat.messages.size,
  branchCount: chat.state.threads.size,
})

/** The whole graph with previews, lane by lane. */
export function graphDataOf(chat: MemoryChat): GraphData {
  return {
    chatId: chat.state.chatId,
    nodes: [...chat.messages.values()]
      .sort((a, b) => a.lane - b.lane || a.depth - b.depth)
      .map(({ record, preview }) => ({
        id: record.id,
        parentId: record.parentId,
        role: record.name,
        content: preview,
        createdAt: record.createdAt,
      })),
    branches: readBranches(chat).map(({ name, headMessageId, isActive }) => ({
      name,
      headMessageId,
      isActive,
    })),
    checkpoints: readCheckpoints(chat).map(({ name, messageId }) => ({ name, messageId })),
  }
}

/** The moves for Undo (Redo), the next one first: only the next, or all after the event `after`. */
export function readMoves(chat: MemoryChat, which: 'undo' | 'redo', after?: number): StoredMove[] {
  const moves: StoredMove[] = []
  let at = which === 'undo' ? chat.state.undoSeq : chat.state.redoSeq
  while (at !== null && moves.length < (after === undefined ? 1 : movesAtOnce)) {
    const move = readMove(chat, at)
    if (!move || move.moveSeq <= (after ?? 0)) break
    moves.push(move)
    at = move.next
  }
  return moves
}

function readMove(chat: MemoryChat, at: number): StoredMove | null {
  const { events, state, runs } = chat
  const mark = events[at - 1]
  if (mark?.type !== 'MoveMade' && mark?.type !== 'MoveUndone' && mark?.type !== 'MoveRedone') return null
  const made = mark.type === 'MoveMade' ? mark : events[mark.payload.move_seq - 1]
  if (made?.type !== 'MoveMade') return null
  const logged = events.slice(made.payload.first_seq - 1, made.seq - 1)
  const lines = new Map<BranchId, StoredMove['lines'][number]>()
  for (const event of logged) {
    const last = recordedMessage(event)
    if (last === undefined) continue
    const known = lines.get(event.streamId)
    const before = known ? known.before : (state.messages.get(last)?.parentId ?? null)
    lines.set(event.streamId, { branchId: event.streamId, before, last })
  }
  const ends = [...lines.values()].map(({ last }) => last)
  const live = [...runs.values()].filter(({ status }) => status === 'queued' || status === 'running')
  return {
    seq: state.seq,
    moveSeq: made.seq,
    move: made.payload.move,
    next: mark.payload.previous,
    facts: logged.filter(
      (event) => event.type !== 'CheckpointCreated' && recordedMessage(event) === undefined,
    ),
    lines: [...lines.values()],
    branches: readBranches(chat)
      .filter(
        ({ id, name, headMessageId }) =>
          name.endsWith(`-undone-${made.seq}`) ||
          logged.some(({ streamId, payload }) =>
            [streamId, ...Object.values(payload)].some((named) => named === id || named === name),
          ) ||
          (headMessageId !== null && ends.includes(headMessageId)),
      )
      .map((branch) => ({
        ...branch,
        busy: live.some(({ branchId }) => branchId === branch.id),
        steeredTo: steeredTo(chat.state, branch.id),
      })),
    checkpoints: readCheckpoints(chat).filter(({ name }) =>
      logged.some(({ payload }) => 'name' in payload && payload.name === name),
    ),
    activeBranchId: state.activeThreadId ?? '',
  }
}

/** The message that an event recorded. */
function recordOf(chat: MemoryChat, id: MessageId): MessageData {
  const message = chat.messages.get(id)
  if (!message) throw new Error(`Message "${id}" is missing from its lane`)
  return structuredClone(message.record)
}

type Aged = { createdAt: number; id: string }
const byAge = (a: Aged, b: Aged): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
