import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import type { ChatId, MessageId, RunId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { pullStream } from '../watch/pull-stream'
import { streamRun } from './follow-run'

/** News of one of several replies. */
export type RepliesNews =
  | { kind: 'part'; runId: RunId; part: UIMessageChunk }
  /** the reply is over, and its last part was told */
  | { kind: 'over'; runId: RunId }

/**
 * Follows all live replies to a message in one stream, each from its first part on: a browser has too few connections for
 * one each. It ends with the last of them. Rejects with `NotFoundError` for a message that is not in the owner's chat.
 *
 * @param request.called the owner's id for the chat
 * @param request.since the log position that the reader knows
 */
export async function followReplies(
  ports: Ports,
  request: {
    ownerId: UserId
    chatId: ChatId
    called: ChatId
    messageId: MessageId
    since?: number | undefined
  },
): Promise<ReadableStream<RepliesNews>> {
  const { ownerId, chatId, called, messageId, since } = request
  const [found, runs] = await Promise.all([
    ports.reads.message(chatId, ownerId, messageId),
    ports.runs.liveAnswers(ownerId, chatId, messageId),
  ])
  if (!found) throw new NotFoundError('message', messageId)
  return pullStream((signal) =>
    merged(
      runs.map(async function* (run): AsyncGenerator<RepliesNews> {
        const { runId } = run
        for await (const part of streamRun(ports, { ownerId, called, run, signal, since })) {
          yield { kind: 'part', runId, part }
        }
        if (!signal.aborted) yield { kind: 'over', runId }
      }),
    ),
  )
}

/** The results of several generators, as they come. */
async function* merged<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = async (source: AsyncGenerator<T>) => ({ source, result: await source.next() })
  const waiting = new Map(sources.map((source) => [source, next(source)]))
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values())
      if (result.done) {
        waiting.delete(source)
        continue
      }
      // asked for before this value is read: a reader that is slow holds back one value of each
      waiting.set(source, next(source))
      yield result.value
    }
  } finally {
    // a failed generator ends the stream; errors of the others after that are ignored
    for (const pending of waiting.values()) pending.catch(() => undefined)
    await Promise.all([...waiting.keys()].map((source) => source.return(undefined)))
  }
}
