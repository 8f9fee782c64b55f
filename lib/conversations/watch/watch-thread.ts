import { NotFoundError, type ThreadEvent } from '@/lib/context'
import type { BranchId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { ChatBell } from './chat-bell'
import { pullStream } from './pull-stream'
import { readTogether } from './read-together'
import type { WatchPace } from './watch-chat'

/** News for a watcher of a thread. */
export type ThreadNews =
  | { kind: 'event'; event: ThreadEvent }
  /** nothing for a while: the connection is alive */
  | { kind: 'quiet' }

type WatchPorts = Pick<Ports, 'threads' | 'changes' | 'clock' | 'logError'>

/** Events read at a time: every watcher holds one page, however slowly it reads. */
const PAGE = { limit: 20, bytes: 50_000 }

/**
 * Every event of a thread after number `after`, inherited and own, each once and in order, while the stream
 * is read. Safe to resume after any event: they are numbered under the chat's lock. A change wakes the
 * stream; without a change, the log is read whenever a silence is broken. Ends when the thread is gone or the
 * log cannot be read: the watcher opens another one. Rejects with `NotFoundError` for a missing or another
 * person's thread.
 */
export async function watchThread(
  ports: WatchPorts,
  request: { ownerId: UserId; threadId: BranchId; after: number },
  pace: WatchPace = {},
): Promise<ReadableStream<ThreadNews>> {
  const head = await ports.threads.head(request.threadId, request.ownerId)
  if (!head) throw new NotFoundError('thread', request.threadId)
  return pullStream((signal) => newsOf(ports, { ...request, chatId: head.chatId }, pace, signal))
}

async function* newsOf(
  { threads, changes, clock, logError }: WatchPorts,
  {
    ownerId,
    threadId,
    chatId,
    after,
  }: { ownerId: UserId; threadId: BranchId; chatId: string; after: number },
  { quietMs = 15_000, lastsMs = 240_000 }: WatchPace,
  signal: AbortSignal,
): AsyncGenerator<ThreadNews> {
  const until = clock() + lastsMs
  let last = after
  const bell = new ChatBell(changes, chatId)
  const goesOn = () => !signal.aborted && !changes.closed && clock() < until
  try {
    // at once, so that the watcher knows it is connected
    yield { kind: 'quiet' }
    while (goesOn()) {
      bell.silence()
      const from = last
      const page = await readTogether(threads, JSON.stringify([ownerId, threadId, from]), () =>
        threads.events(threadId, ownerId, { after: from, ...PAGE }),
      )
      if (!page) return
      for (const event of page.found) {
        last = event.eventNumber
        yield { kind: 'event', event }
      }
      if (bell.rang || page.next !== null) continue
      await bell.wait(signal, quietMs)
      if (!bell.rang && goesOn()) yield { kind: 'quiet' }
    }
  } catch (error) {
    // the database is away: the watcher opens another stream
    logError('watching a thread', error)
  } finally {
    bell.close()
  }
}
