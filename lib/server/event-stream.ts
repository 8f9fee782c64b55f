import 'server-only'
import { streamBegins } from '@/lib/runtime'
import { RequestRefusedError } from './problem'

/** Streams one person may have open at one process: far more than tabs, far fewer than would weigh on others. */
export const STREAMS_AT_ONCE = 100

/** One line of news for an `EventSource`; without `event`, a comment that only keeps the connection open. */
export interface ServerEvent {
  event?: string
  /** where an `EventSource` that reconnects says it was */
  id?: number
  data?: unknown
}

const encoder = new TextEncoder()

const shared = globalThis as typeof globalThis & { __ramifyStreams?: Map<string, number> }

/**
 * News as `text/event-stream`. Nothing is asked of `news` before the client reads, and leaving cancels it. Refused (429)
 * to somebody who has `STREAMS_AT_ONCE` of them open here.
 */
export async function eventStreamResponse<T>(
  viewerId: string,
  news: ReadableStream<T>,
  toEvent: (news: T) => ServerEvent,
): Promise<Response> {
  if (isFull(viewerId)) {
    await news.cancel()
    throw new RequestRefusedError(
      429,
      'too_many_streams',
      `You follow ${STREAMS_AT_ONCE} conversations at once already. Close some of them first.`,
    )
  }
  const reader = news.getReader()
  // Counted in when it is first read from: an answer to somebody who has left, or to a HEAD, is neither read nor cancelled.
  let leave: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          leave ??= enter(viewerId)
          if (leave) {
            const { done, value } = await reader.read()
            if (!done) return controller.enqueue(encoder.encode(textOf(toEvent(value))))
          } else {
            // others came first; whoever asks anew is told why
            await reader.cancel()
          }
          leave?.()
          controller.close()
        } catch (error) {
          leave?.()
          throw error
        }
      },
      cancel(reason) {
        leave?.()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      // not to be held back: neither to be compressed nor to be buffered on the way
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // not to be used again: a server that is to end would wait for it
      connection: 'close',
    },
  })
}

const openStreams = (): Map<string, number> => {
  shared.__ramifyStreams ??= new Map()
  return shared.__ramifyStreams
}

const isFull = (viewerId: string): boolean => (openStreams().get(viewerId) ?? 0) >= STREAMS_AT_ONCE

/** Counts a stream in; answers how to count it out, once, or nothing when there are too many. */
function enter(viewerId: string): (() => void) | undefined {
  if (isFull(viewerId)) return undefined
  const open = openStreams()
  open.set(viewerId, (open.get(viewerId) ?? 0) + 1)
  const ends = streamBegins('news')
  let isOpen = true
  return () => {
    if (!isOpen) return
    isOpen = false
    ends()
    const left = (open.get(viewerId) ?? 1) - 1
    if (left > 0) open.set(viewerId, left)
    else open.delete(viewerId)
  }
}

function textOf({ event, id, data }: ServerEvent): string {
  if (event === undefined) return ':\n\n'
  const position = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${position}data: ${JSON.stringify(data ?? {})}\n\n`
}
