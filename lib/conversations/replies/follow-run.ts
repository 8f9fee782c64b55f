import type { UIMessageChunk } from 'ai'
import { NotFoundError, type PlacedMessage, type RunRecord } from '@/lib/context'
import { type ChatId, type RunId, timeOfId, type UserId } from '@/lib/events'
import type { TurnData, Waiting } from '@/lib/protocol'
import { partsOfCalled } from '../chats/called-chat'
import { storedReply, toChatMessage } from '../chats/to-chat-message'
import type { Ports } from '../ports'
import { ChatBell } from '../watch/chat-bell'
import { pullStream } from '../watch/pull-stream'
import type { HeldRun } from './live-runs'
import type { ReplySlots } from './reply-slots'

/** Pause between two looks at a reply that another process writes, in ms; a hint may come sooner. */
const POLL = 250
/** The same for a queued reply. Nearly always a hint comes first. */
const LONG_POLL = 5000
/** More than any log entry's number. */
const LAST = 2 ** 31 - 1

interface Following {
  ownerId: UserId
  /** the owner's id for the chat; without it, its key */
  called?: ChatId | undefined
  run: RunRecord
  /** fires when the reader has left */
  signal: AbortSignal
  /** the log position the reader knows; without it, earlier events are not repeated */
  since?: number | undefined
  /** the run as this process holds it */
  live?: HeldRun
  /** the first parts for the reader of a turn that has just queued its run */
  opening?: readonly [RunPart, ...UIMessageChunk[]]
}

/** Follows the live reply of a branch from its first part on; undefined without a live run. */
export async function followReply(
  ports: Ports,
  request: { ownerId: UserId; chatId: ChatId; called?: ChatId; branch?: string; since?: number },
): Promise<ReadableStream<UIMessageChunk> | undefined> {
  const { ownerId, chatId, called, branch, since } = request
  const run = await ports.runs.live(ownerId, chatId, branch)
  if (run) {
    return pullStream((signal) => dated(streamRun(ports, { ownerId, called, run, signal, since }), run.runId))
  }
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  return undefined
}

/** The parts of a run for a reader who comes later: they tell how old it is. */
async function* dated(parts: AsyncGenerator<UIMessageChunk>, runId: RunId): AsyncGenerator<UIMessageChunk> {
  const made = timeOfId(runId)
  for await (const part of parts) {
    if (part.type !== 'data-run' || made === null) yield part
    else {
      const data = part.data as TurnData['run']
      yield { ...part, data: { ...data, elapsedMs: Math.max(0, Date.now() - made) } }
    }
  }
}

/**
 * A run from its first part to its end: live when this process writes it, else from the run log. A queued run is waited for.
 * Another `data-run` part says when the reply begins, or begins anew because another process has taken the run.
 */
export function streamRun(ports: Ports, following: Following): AsyncGenerator<UIMessageChunk> {
  const { run, called = run.chatId } = following
  const parts = partsOf(ports, following)
  return called === run.chatId ? parts : partsOfCalled(parts, called)
}

async function* partsOf(ports: Ports, following: Following): AsyncGenerator<UIMessageChunk> {
  const { run, signal } = following
  let live = following.live ?? ports.live.get(run.runId)
  let seen = 0
  yield* following.opening ?? []
  for (;;) {
    if (live) {
      // a process that takes a run over does not know its readers
      if (live.first?.type !== 'data-run') yield await beginning(ports, following, 'running')
      const ending = yield* live.parts(signal)
      if (ending !== 'lost') return
      // its next holder may be some attempts further
      seen = live.attempt
    }
    live = yield* followLog(ports, following, seen)
    if (!live) return
  }
}

/**
 * Reads the log of a run. The reader has had all parts of the attempts up to `seen`. Returns the run when this process
 * begins to write it.
 */
async function* followLog(
  ports: Ports,
  following: Following,
  seen: number,
): AsyncGenerator<UIMessageChunk, HeldRun | undefined> {
  const { run, signal } = following
  const { chatId, runId } = run
  let at = { attempt: seen, number: seen > 0 ? LAST : -1 }
  let words = ''
  let told: RunRecord['status'] | undefined = seen > 0 ? 'running' : following.opening && 'queued'
  let { since } = following
  const bell = new ChatBell(
    ports.changes,
    chatId,
    (ring) => ports.changes.subscribeRun(runId, ring),
    (ring) => ports.live.subscribe(runId, ring),
  )
  try {
    while (!signal.aborted) {
      const here = ports.live.get(runId)
      if (here && (told !== 'running' || here.attempt > at.attempt)) return here
      bell.silence()
      const state = await ports.log.read(chatId, runId, at)
      if (!state) return undefined // the chat was deleted
      const isOver = state.status !== 'queued' && state.status !== 'running'
      const begins = told === 'queued' && state.status === 'running'
      if (!told || begins || (told === 'running' && state.attempt > at.attempt)) {
        told = state.status
        words = ''
        const begun = await beginning(ports, { ...following, since }, state.status)
        // the end reports all events since the reader came; a reader who came only for the end knows none
        since ??= isOver ? 0 : begun.data.delta.seq
        yield begun
      }
      at = { attempt: state.attempt, number: state.number }
      for (const part of state.parts) {
        if (part.type === 'text-delta') words += part.delta
        // the text so far was a thought
        else if (part.type === 'reset-step') words = ''
        yield part
      }
      if (isOver) {
        const before = words !== '' || seen > 0
        yield* ending(ports, { ...following, since }, { status: state.status, words, told: before })
        return undefined
      }
      await bell.wait(signal, state.status === 'queued' ? LONG_POLL : POLL)
    }
  } finally {
    bell.close()
  }
  return undefined
}

/** The part that names a run. */
export interface RunPart {
  type: 'data-run'
  transient: true
  data: TurnData['run']
}

async function beginning(
  ports: Ports,
  { ownerId, run, since = Number.MAX_SAFE_INTEGER, opening }: Following,
  status: RunRecord['status'],
): Promise<RunPart> {
  if (opening) {
    const { waiting: _over, ...data } = opening[0].data
    return { ...opening[0], data: { ...data, status } }
  }
  const [found, delta, writing] = await Promise.all([
    ports.reads.branchState(run.chatId, ownerId, run.branchId),
    ports.reads.delta(run.chatId, ownerId, since),
    status === 'queued' ? ports.runs.countWriting(ownerId) : undefined,
  ])
  return {
    type: 'data-run' as const,
    transient: true,
    data: {
      runId: run.runId,
      status,
      waiting: writing === undefined ? undefined : waitingFor(ports.slots, writing),
      branchId: run.branchId,
      branch: found.state?.branchName ?? run.branchId,
      userMessageId: run.replyTo,
      replyId: run.replyId,
      delta: delta ?? { chatId: run.chatId, seq: 0 },
    },
  }
}

/** Why a reply waits, given how many of the person's are being written. */
export const waitingFor = ({ perPerson }: ReplySlots, writing: number): Waiting => ({
  for: writing >= perPerson ? 'person' : 'server',
  writing,
})

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
    // the log was cut short, or is gone already: the message has the whole text
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
