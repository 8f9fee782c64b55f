import type { UIMessageChunk } from 'ai'
import { NotFoundError, type PlacedMessage, type RunRecord } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import { partsOfCalled } from './called-chat'
import type { LiveRun } from './live-runs'
import type { Ports } from './ports'
import { pullStream } from './pull-stream'
import { storedReply } from './stored-reply'
import { toChatMessage } from './to-chat-message'
import { waitFor } from './wait-for'

/** How often a reply that another process writes is asked after, in ms; a hint may come sooner. */
const POLL = 250
/** More than any log entry's number. */
const LAST = 2 ** 31 - 1

interface Following {
  ownerId: UserId
  /** what the owner calls the chat; without it, its key */
  called?: ChatId | undefined
  run: RunRecord
  /** fires when the reader has left */
  signal: AbortSignal
  /** the log position the reader knows; without it, nothing before now is told again */
  since?: number | undefined
  /** the run as this process holds it */
  live?: LiveRun
}

/** Follows the live reply of a branch from its first part on; undefined when nothing runs there. */
export async function followReply(
  ports: Ports,
  request: { ownerId: UserId; chatId: ChatId; called?: ChatId; branch?: string; since?: number },
): Promise<ReadableStream<UIMessageChunk> | undefined> {
  const { ownerId, chatId, called, branch, since } = request
  const run = await ports.runs.live(ownerId, chatId, branch)
  if (run) {
    return pullStream((signal) =>
      followRun(ports, { ownerId, called, run, signal, ...(since === undefined ? {} : { since }) }),
    )
  }
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  return undefined
}

/**
 * A run from its first part to its end, wherever it is written: here as it comes, elsewhere as it is logged. When a run
 * changes hands the reply begins anew, and another `data-run` says so.
 */
export function followRun(ports: Ports, following: Following): AsyncGenerator<UIMessageChunk> {
  const { run, called = run.chatId } = following
  const parts = partsOf(ports, following)
  return called === run.chatId ? parts : partsOfCalled(parts, run.chatId, called)
}

async function* partsOf(ports: Ports, following: Following): AsyncGenerator<UIMessageChunk> {
  const { run, signal } = following
  const live = following.live ?? ports.live.get(run.runId)
  if (live) {
    // who takes a run over does not know who will read it
    if (live.first?.type !== 'data-run') yield await beginning(ports, following, 'running')
    const ending = yield* live.parts(signal)
    if (ending !== 'lost') return
  }
  // whoever has it now may be some attempts further
  yield* followLog(ports, following, live ? live.attempt : 0)
}

/** Reads what the holder of a run logs; of the attempts up to `seen` the reader has had what there was. */
async function* followLog(ports: Ports, following: Following, seen: number): AsyncGenerator<UIMessageChunk> {
  const { run, signal } = following
  const { chatId, runId } = run
  let at = { attempt: seen, number: seen > 0 ? LAST : -1 }
  let words = ''
  let announced = seen > 0
  let { since } = following
  while (!signal.aborted) {
    const state = await ports.log.read(chatId, runId, at)
    if (!state) return // the chat was deleted
    const isOver = state.status !== 'queued' && state.status !== 'running'
    if (!announced || state.attempt > at.attempt) {
      announced = true
      words = ''
      const begun = await beginning(ports, { ...following, since }, state.status)
      // the end tells what has happened since the reader came; who came to the end alone knows nothing
      since ??= isOver ? 0 : begun.data.delta.seq
      yield begun
    }
    at = { attempt: state.attempt, number: state.number }
    for (const part of state.parts) {
      if (part.type === 'text-delta') words += part.delta
      yield part
    }
    if (isOver) {
      const told = words !== '' || seen > 0
      yield* ending(ports, { ...following, since }, { status: state.status, words, told })
      return
    }
    await waitFor((wake) => ports.changes.subscribeRun(runId, wake), { signal, timeoutMs: POLL })
  }
}

async function beginning(
  ports: Ports,
  { ownerId, run, since = Number.MAX_SAFE_INTEGER }: Following,
  status: RunRecord['status'],
) {
  const [found, delta] = await Promise.all([
    ports.reads.branchState(run.chatId, ownerId, run.branchId),
    ports.reads.delta(run.chatId, ownerId, since),
  ])
  return {
    type: 'data-run' as const,
    transient: true,
    data: {
      runId: run.runId,
      status,
      branchId: run.branchId,
      branch: found.state?.branchName ?? run.branchId,
      userMessageId: run.replyTo,
      replyId: run.replyId,
      delta: delta ?? { chatId: run.chatId, seq: 0 },
    },
  }
}

async function* ending(
  ports: Ports,
  following: Following,
  { status, words, told }: { status: RunRecord['status']; words: string; told: boolean },
): AsyncGenerator<UIMessageChunk> {
  const { ownerId, run, since = 0 } = following
  const { chatId, replyId } = run
  const [reply, delta] = await Promise.all([
    ports.reads.message(chatId, ownerId, replyId),
    ports.reads.delta(chatId, ownerId, since),
  ])
  if (reply && textOf(reply.message) !== words) {
    // the log was cut short, or is gone already: the message says it all
    if (told) yield await beginning(ports, following, status)
    yield* storedReply(toChatMessage(reply.message))
  } else if (reply) {
    yield { type: 'message-metadata', messageMetadata: toChatMessage(reply.message).metadata }
  }
  if (delta) yield { type: 'data-graph', data: delta, transient: true }
  if (status === 'completed') yield { type: 'finish' }
  else if (status === 'stopped') yield { type: 'abort' }
  else yield { type: 'error', errorText: 'The reply failed. The page says why.' }
}

const textOf = (message: PlacedMessage): string =>
  toChatMessage(message)
    .parts.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
