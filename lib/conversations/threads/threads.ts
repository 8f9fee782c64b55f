import type { UIMessage } from 'ai'
import {
  type AfterEvent,
  type CreatedThread,
  type ForkedThread,
  NotFoundError,
  type SentMessage,
  type ThreadCommand,
  type ThreadEvent,
  type ThreadHead,
  type ThreadMessage,
  type ThreadPage,
  type ThreadSummary,
} from '@/lib/context'
import type { BranchId, UserId } from '@/lib/events'
import { checkedName } from '../chats/moves'
import type { Ports } from '../ports'
import { contextOfNewChat } from '../turns/context-value'
import { checkText, newUserMessage } from '../turns/user-message'

/** Bytes of messages after which a page ends: an answer is held whole in memory. */
const PAGE_BYTES = 4_000_000

/** A page and where the next one begins; null after the last one. */
interface ThreadsPage {
  threads: ThreadSummary[]
  next: BranchId | null
}

interface InThread {
  ownerId: UserId
  threadId: BranchId
}

type History = InThread & Omit<AfterEvent, 'bytes'>

/**
 * Creates a chat with one empty thread, in the context that the person's new chats begin in. Rejects with `InvalidRequestError` for a
 * title that cannot be used, and with `IdempotencyMismatchError`.
 */
export async function createThread(
  ports: Ports,
  { ownerId, once, title }: ThreadCommand & { title?: string | undefined },
): Promise<CreatedThread> {
  const context = await contextOfNewChat(ports, ownerId, await ports.models.of(ownerId))
  const threadId = ports.newId()
  const { answer } = await ports.commands.createThread({
    ownerId,
    once,
    threadId,
    change: {
      chatId: ports.newId(),
      ownerId,
      at: ports.clock(),
      create: {
        userId: ownerId,
        branchId: threadId,
        contextId: context.id,
        title: title === undefined ? undefined : checkedName(title, 'chat'),
      },
      contexts: [context],
      steps: [],
    },
  })
  return answer
}

/**
 * Adds a person's message to a thread and queues the reply, which a worker writes. Rejects with `InvalidRequestError`,
 * `NotFoundError`, `ExpectedVersionError`, `ReplyInProgressError` or `IdempotencyMismatchError`; then nothing is written.
 */
export async function sendMessage(
  ports: Ports,
  input: ThreadCommand & InThread & { content: string; expectedVersion?: number | undefined },
): Promise<SentMessage> {
  const { ownerId, once, threadId, content, expectedVersion } = input
  checkText(content)
  const models = await ports.models.of(ownerId)
  const at = ports.clock()
  const message: UIMessage = { id: ports.newId(), role: 'user', parts: [{ type: 'text', text: content }] }
  const { answer } = await ports.commands.sendMessage({
    ownerId,
    once,
    threadId,
    at,
    message: newUserMessage(message, at),
    run: { runId: ports.newId(), replyId: ports.newId(), model: models.defaultId },
    models: models.ids,
    expectedVersion,
  })
  ports.queue.nudge(ports.slots.when(ownerId))
  return answer
}

/**
 * Opens a thread that inherits every event of another one up to `eventNumber`, and its context at that event. No run
 * is queued. Rejects with `NotFoundError` for a thread or an event that is not there, and with `IdempotencyMismatchError`.
 */
export async function forkThread(
  ports: Ports,
  {
    ownerId,
    once,
    sourceThreadId,
    eventNumber,
  }: ThreadCommand & { sourceThreadId: BranchId; eventNumber: number },
): Promise<ForkedThread> {
  const { answer } = await ports.commands.forkThread({
    ownerId,
    once,
    sourceThreadId,
    newThreadId: `branch-${ports.newId()}`,
    eventNumber,
    at: ports.clock(),
  })
  return answer
}

/** A person's threads, newest first. Rejects with `NotFoundError` when `before` is not one of them. */
export async function listThreads(
  ports: Ports,
  { ownerId, before, limit }: ThreadPage & { ownerId: UserId },
): Promise<ThreadsPage> {
  return pageOf(existing(await ports.threads.list(ownerId, { before, limit: limit + 1 }), before), limit)
}

/** The threads forked from one, newest first. Rejects with `NotFoundError`. */
export async function listForks(
  ports: Ports,
  { ownerId, threadId, before, limit }: ThreadPage & InThread,
): Promise<ThreadsPage> {
  const page = { before, limit: limit + 1 }
  return pageOf(existing(await ports.threads.children(threadId, ownerId, page), threadId), limit)
}

/** The messages of a thread in order, those it inherits first. Rejects with `NotFoundError`. */
export async function readThreadMessages(
  { threads }: Ports,
  { ownerId, threadId, after, limit }: History,
): Promise<{ messages: ThreadMessage[]; next: number | null }> {
  const page = await threads.messages(threadId, ownerId, { after, limit, bytes: PAGE_BYTES })
  const { found: messages, next } = existing(page, threadId)
  return { messages, next }
}

/** The events of a thread in order, those it inherits first. Rejects with `NotFoundError`. */
export async function readThreadEvents(
  { threads }: Ports,
  { ownerId, threadId, after, limit }: History,
): Promise<{ events: ThreadEvent[]; next: number | null }> {
  const page = await threads.events(threadId, ownerId, { after, limit, bytes: PAGE_BYTES })
  const { found: events, next } = existing(page, threadId)
  return { events, next }
}

/** `failed`: the message at the head has no whole reply, and no run is working on one. */
export type ThreadStatus = 'idle' | 'running' | 'failed'

/** Reads the head and status of a thread. Rejects with `NotFoundError`. */
export async function readThreadHead(
  ports: Ports,
  { ownerId, threadId }: InThread,
): Promise<ThreadHead & { status: ThreadStatus }> {
  const head = existing(await ports.threads.head(threadId, ownerId), threadId)
  return { ...head, status: statusOf(head) }
}

/** A reply that was stopped leaves the thread idle; a reply that never came leaves it failed. */
export function statusOf({ running, role, partial, lastRun }: Omit<ThreadHead, 'chatId'>): ThreadStatus {
  if (running) return 'running'
  if (role === 'assistant') return partial === 'failed' ? 'failed' : 'idle'
  return lastRun === 'failed' || lastRun === 'stopped' ? 'failed' : 'idle'
}

function existing<T>(value: T | undefined, threadId = ''): T {
  if (value === undefined) throw new NotFoundError('thread', threadId)
  return value
}

const pageOf = (threads: ThreadSummary[], limit: number): ThreadsPage => ({
  threads: threads.slice(0, limit),
  next: threads.length > limit ? (threads[limit - 1]?.threadId ?? null) : null,
})
