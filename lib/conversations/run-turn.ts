import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import { executeRun } from './execute-run'
import { followRun } from './follow-run'
import type { Ports } from './ports'
import { pullStream } from './pull-stream'
import type { RepeatedTurn } from './repeated-turn'
import { type StartedTurn, startTurn, type TurnRequest } from './start-turn'
import { storedReply } from './stored-reply'
import { toChatMessage } from './to-chat-message'

/** The parts of a turn, and a promise that resolves when its reply is stored, read or not. */
export interface TurnStream {
  stream: ReadableStream<UIMessageChunk>
  ended: Promise<void>
}

/** Stores a turn, has it answered, and streams both; asked again, it streams what became of the first time. */
export async function runTurn(ports: Ports, request: TurnRequest): Promise<TurnStream> {
  const turn = await startTurn(ports, request)
  if ('repeated' in turn) return repeatTurn(ports, request, turn)
  const live = ports.live.open(turn.run)
  live.push(beginning(turn))
  if (turn.title) live.push({ type: 'data-title', data: turn.title, transient: true })
  const ended = executeRun(ports, turn.run, live, turn)
  const { ownerId, chatId: called } = request
  const { run, delta } = turn
  const following = { ownerId, called, run, live, since: delta.seq }
  const stream = pullStream((signal) => followRun(ports, { ...following, signal }))
  return { stream, ended }
}

function beginning({ run, branchName, userMessageId, delta }: StartedTurn): UIMessageChunk {
  return {
    type: 'data-run',
    transient: true,
    data: {
      runId: run.runId,
      status: 'running',
      branchId: run.branchId,
      branch: branchName,
      userMessageId,
      replyId: run.replyId,
      delta,
    },
  }
}

async function repeatTurn(ports: Ports, request: TurnRequest, turn: RepeatedTurn): Promise<TurnStream> {
  const { run, chatId } = turn
  const { ownerId, chatId: called } = request
  if (run && (run.status === 'queued' || run.status === 'running')) {
    const stream = pullStream((signal) => followRun(ports, { ownerId, called, run, signal }))
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
