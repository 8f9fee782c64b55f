import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import type { GraphDelta, Waiting } from '@/lib/protocol'
import { storedReply, toChatMessage } from '../chats/to-chat-message'
import { mergeDeltas } from '../delta-of'
import type { Ports } from '../ports'
import { executeRun } from '../replies/execute-run'
import { type RunPart, streamRun, waitingFor } from '../replies/follow-run'
import type { ReplySlot } from '../replies/reply-slots'
import { writeInLine } from '../replies/take-over-runs'
import { pullStream } from '../watch/pull-stream'
import type { RepeatedTurn } from './repeated-turn'
import { type StartedTurn, startTurn, type TurnRequest } from './start-turn'

/**
 * The parts of a turn, and a promise that resolves when its reply is stored, whether the parts are read or not; for a reply
 * that waits for a worker, at once.
 */
export interface TurnStream {
  stream: ReadableStream<UIMessageChunk>
  ended: Promise<void>
}

/**
 * Stores a turn, queues its reply, and streams both; a repeated request streams the outcome of the first one.
 * Without a free place for another reply of this person the run is queued: the stream reports that, and
 * continues when the reply begins.
 */
export async function runTurn(ports: Ports, request: TurnRequest): Promise<TurnStream> {
  const slot = await ports.slots.admit(request.ownerId)
  try {
    const turn = await startTurn(ports, request, { queued: !slot })
    if ('repeated' in turn) {
      slot?.release()
      return await repeatTurn(ports, request, turn)
    }
    return slot ? writeNow(ports, request, turn, slot) : writeLater(ports, request, turn)
  } catch (error) {
    slot?.release()
    throw error
  }
}

function writeNow(
  ports: Ports,
  { ownerId, chatId: called }: TurnRequest,
  turn: StartedTurn,
  slot: ReplySlot,
): TurnStream {
  slot.stored()
  const { run, delta } = turn
  const live = ports.live.open(run)
  for (const part of opening(turn)) live.push(part)
  const ended = executeRun(ports, run, live, turn).finally(slot.release)
  const stream = pullStream((signal) =>
    streamRun(ports, { ownerId, called, run, signal, live, since: delta.seq }),
  )
  return { stream, ended }
}

function writeLater(ports: Ports, { ownerId, chatId: called }: TurnRequest, turn: StartedTurn): TurnStream {
  const { run, delta } = turn
  const waiting = waitingFor(ports.slots, ports.slots.writing(ownerId))
  const ended = ports.queue.isWatched ? Promise.resolve() : writeInLine(ports, run, ownerId)
  ports.queue.nudge(ports.slots.when(ownerId))
  const stream = pullStream((signal) =>
    covering(
      delta,
      streamRun(ports, { ownerId, called, run, signal, since: delta.seq, opening: opening(turn, waiting) }),
    ),
  )
  return { stream, ended }
}

/** The parts of a reply; the last data part covers the whole turn. */
async function* covering(
  turn: GraphDelta,
  parts: AsyncGenerator<UIMessageChunk>,
): AsyncGenerator<UIMessageChunk> {
  for await (const part of parts) {
    yield part.type === 'data-graph' ? { ...part, data: mergeDeltas(turn, part.data as GraphDelta) } : part
  }
}

/** The first parts for every reader of a turn: the run, and the title of a new chat. */
function opening(
  { run, branchName, userMessageId, delta, title }: StartedTurn,
  waiting?: Waiting,
): [RunPart, ...UIMessageChunk[]] {
  const data = {
    runId: run.runId,
    status: run.status,
    waiting,
    branchId: run.branchId,
    branch: branchName,
    userMessageId,
    replyId: run.replyId,
    delta,
  }
  return [
    { type: 'data-run', transient: true, data },
    ...(title ? [{ type: 'data-title' as const, data: title, transient: true }] : []),
  ]
}

async function repeatTurn(ports: Ports, request: TurnRequest, turn: RepeatedTurn): Promise<TurnStream> {
  const { run, chatId } = turn
  const { ownerId, chatId: called } = request
  if (run && (run.status === 'queued' || run.status === 'running')) {
    const stream = pullStream((signal) => streamRun(ports, { ownerId, called, run, signal }))
    return { stream, ended: ports.live.get(run.runId)?.ended.then(() => undefined) ?? Promise.resolve() }
  }
  const delta = await ports.reads.delta(chatId, ownerId, 0)
  if (!delta) throw new NotFoundError('chat', chatId)
  const reply = run && (await ports.reads.message(chatId, ownerId, run.replyId))
  const chunks: UIMessageChunk[] = [
    ...(reply ? storedReply(toChatMessage(reply.message)) : []),
    { type: 'data-graph', data: delta, transient: true },
    { type: 'finish' },
  ]
  return { stream: pullStream(() => inOrder(chunks)), ended: Promise.resolve() }
}

async function* inOrder(chunks: readonly UIMessageChunk[]): AsyncGenerator<UIMessageChunk> {
  yield* chunks
}
