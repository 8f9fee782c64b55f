import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import type { Ports } from '../ports'
import { ChatBell } from './chat-bell'
import { pullStream } from './pull-stream'
import { readTogether } from './read-together'

/** News for a watcher of a chat. */
export type ChatNews =
  /** all changes since the watcher's last delta */
  | { kind: 'delta'; delta: GraphDelta }
  /** the chat is not there any more, and the stream ends */
  | { kind: 'gone' }
  /** nothing for a while: the connection is alive */
  | { kind: 'quiet' }

export interface WatchPace {
  /** after this long a silence is broken, in ms */
  quietMs?: number
  /** after this long the stream ends and the watcher opens another one, in ms: hosts cut longer ones, and access is checked anew */
  lastsMs?: number
}

type WatchPorts = Pick<Ports, 'reads' | 'changes' | 'clock' | 'logError'>

/**
 * Everything written to a chat after position `since` of its log, and replies that begin and end, while the
 * stream is read. The first delta comes at once, even when it is empty. Events between two reads come as one
 * delta, so a slow reader costs no memory. The stream just ends when it cannot go on; the watcher opens
 * another one. Rejects with `NotFoundError` for a missing or another person's chat.
 */
export async function watchChat(
  ports: WatchPorts,
  request: { ownerId: UserId; chatId: ChatId; since: number },
  pace: WatchPace = {},
): Promise<ReadableStream<ChatNews>> {
  const { chat } = await ports.reads.branchState(request.chatId, request.ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', request.chatId)
  return pullStream((signal) => newsOf(ports, request, pace, signal))
}

async function* newsOf(
  ports: WatchPorts,
  { ownerId, chatId, since }: { ownerId: UserId; chatId: ChatId; since: number },
  { quietMs = 15_000, lastsMs = 240_000 }: WatchPace,
  signal: AbortSignal,
): AsyncGenerator<ChatNews> {
  const { reads, changes, clock } = ports
  const until = clock() + lastsMs
  const bell = new ChatBell(changes, chatId)
  let told: Told | undefined
  try {
    while (!signal.aborted && !changes.closed && clock() < until) {
      if (!told || bell.rang) {
        bell.silence()
        const from = told?.seq ?? since
        const delta = await readTogether(reads, JSON.stringify([ownerId, chatId, from]), () =>
          reads.delta(chatId, ownerId, from),
        )
        if (!delta) {
          yield { kind: 'gone' }
          return
        }
        const next = toldBy(delta)
        if (!told || next.seq > told.seq || next.unlogged !== told.unlogged) {
          told = next
          yield { kind: 'delta', delta }
        }
      } else {
        await bell.wait(signal, quietMs)
        if (!bell.rang && !signal.aborted && !changes.closed) yield { kind: 'quiet' }
      }
    }
  } catch (error) {
    // the database is away: the watcher opens another stream and gets the chat's state
    if (!changes.closed) ports.logError('watching a chat', error)
  } finally {
    bell.close()
  }
}

/**
 * The position that a watcher has received, and its state that changes without an event: live runs, and
 * replays.
 */
interface Told {
  seq: number
  unlogged: string
}

const toldBy = ({ seq, runs = [], replays = [] }: GraphDelta): Told => ({
  seq,
  unlogged: [
    ...runs.map(({ runId }) => runId),
    ...replays.map(({ replayId, version }) => `${replayId} ${version}`),
  ]
    .sort()
    .join(' '),
})
