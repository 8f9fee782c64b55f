import 'server-only'
import { checkStreams, type StreamCall, streamedBody } from './streamed-body'

/** One line of news for an `EventSource`; without `event`, a comment that only keeps the connection open. */
export interface ServerEvent {
  event?: string
  /** where an `EventSource` that reconnects says it was */
  id?: number
  data?: unknown
}

/**
 * News as `text/event-stream`. Nothing is asked of `news` before the client reads, and leaving cancels it. Refused (429)
 * to a reader with as many streams open here as are allowed. Ends with the reader's session or key.
 */
export async function eventStreamResponse<T>(
  call: StreamCall,
  news: ReadableStream<T>,
  toEvent: (news: T) => ServerEvent,
): Promise<Response> {
  try {
    checkStreams(call)
  } catch (error) {
    await news.cancel()
    throw error
  }
  const body = streamedBody(
    call,
    news,
    { text: (value) => textOf(toEvent(value)) },
    { kind: 'news', exact: true },
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

function textOf({ event, id, data }: ServerEvent): string {
  if (event === undefined) return ':\n\n'
  const position = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${position}data: ${JSON.stringify(data ?? {})}\n\n`
}
