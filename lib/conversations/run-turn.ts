import type { UIMessageChunk } from 'ai'
import { NotFoundError, type PlacedMessage, RunOverError, type RunRecord } from '@/lib/context'
import type { ChatId, MessageId, RunId, UserId } from '@/lib/events'
import { executeRun, stoppedAtOnce } from './execute-run'
import type { Ports } from './ports'
import { type RepeatedTurn, type StartedTurn, startTurn, type TurnRequest } from './start-turn'
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
  const live = ports.live.open(turn.run.runId, request.chatId)
  live.push(beginning(turn))
  if (turn.title) live.push({ type: 'data-title', data: turn.title, transient: true })
  const ended = executeRun(ports, turn.run, live, turn.delta)
  return { stream: live.follow(), ended }
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
  const { run } = turn
  const live = run && ports.live.get(run.runId)
  if (live) return { stream: live.follow(), ended: live.ended }
  const delta = await ports.reads.delta(request.chatId, request.ownerId, 0)
  if (!delta) throw new NotFoundError('chat', request.chatId)
  const reply = run && (await ports.reads.message(request.chatId, request.ownerId, run.replyId))
  const chunks: UIMessageChunk[] = [
    ...(reply ? storedReply(reply.message) : []),
    { type: 'data-graph', data: delta, transient: true },
    { type: 'finish' },
  ]
  return { stream: streamOf(chunks), ended: Promise.resolve() }
}

function streamOf(chunks: UIMessageChunk[]): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

/** A stored reply as the stream it once was. */
function storedReply(message: PlacedMessage): UIMessageChunk[] {
  const { id, parts, metadata } = toChatMessage(message)
  return [
    { type: 'start', messageId: id, messageMetadata: metadata },
    ...parts.flatMap((part, i): UIMessageChunk[] =>
      part.type === 'text'
        ? [
            { type: 'text-start', id: `${i}` },
            { type: 'text-delta', id: `${i}`, delta: part.text },
            { type: 'text-end', id: `${i}` },
          ]
        : [],
    ),
  ]
}

/** Follows the live reply of a branch from its first part on; undefined when nothing runs there. */
export async function followReply(
  ports: Ports,
  request: { ownerId: UserId; chatId: ChatId; branch?: string },
): Promise<ReadableStream<UIMessageChunk> | undefined> {
  const run = await ports.runs.live(request.ownerId, request.chatId, request.branch)
  if (run) return ports.live.get(run.runId)?.follow()
  const { chat, state } = await ports.reads.branchState(request.chatId, request.ownerId, request.branch)
  if (chat !== 'own') throw new NotFoundError('chat', request.chatId)
  if (!state) throw new NotFoundError('branch', request.branch ?? '')
  return undefined
}

/** Ends a reply where it stands and stores what was said; asked again, it answers how the run ended. */
export async function stopReply(
  ports: Ports,
  request: { ownerId: UserId; chatId: ChatId; runId: RunId },
): Promise<{ status: RunRecord['status']; messageId: MessageId | null }> {
  const { ownerId, chatId, runId } = request
  const held = await ports.runs.find(ownerId, chatId, runId)
  if (!held) throw new NotFoundError('run', runId)
  const live = ports.live.get(runId)
  if (live) {
    live.abort.abort()
    await live.ended
  } else if (held.status === 'running') {
    await endElsewhere(ports, held)
  }
  const run = await ports.runs.find(ownerId, chatId, runId)
  if (!run) throw new NotFoundError('run', runId)
  const reply = await ports.reads.message(chatId, ownerId, run.replyId)
  return { status: run.status, messageId: reply ? run.replyId : null }
}

/** Ends a run that another process holds, or held. Whatever that one still writes is refused; its words are not kept. */
async function endElsewhere(ports: Ports, { chatId, runId, fence }: RunRecord): Promise<void> {
  try {
    await ports.store.commit({
      chatId,
      at: ports.clock(),
      steps: [{ kind: 'finish-run', runId, fence, status: 'stopped', error: stoppedAtOnce }],
    })
  } catch (error) {
    // over by itself, or taken over this very moment: the caller reads how it stands
    if (!(error instanceof RunOverError)) throw error
  }
}

/** Takes over the replies whose process has died and begins them anew. `ended` resolves when each is stored. */
export async function takeOverRuns(ports: Ports): Promise<{ taken: number; ended: Promise<unknown> }> {
  const expired = await ports.runs.takeExpired(ports.leaseMs)
  const replies = expired.map((run) => executeRun(ports, run, ports.live.open(run.runId, run.chatId)))
  return { taken: expired.length, ended: Promise.all(replies) }
}
