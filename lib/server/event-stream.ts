import 'server-only'

/** One line of news for an `EventSource`; without `event`, a comment that only keeps the connection open. */
export interface ServerEvent {
  event?: string
  /** where an `EventSource` that reconnects says it was */
  id?: number
  data?: unknown
}

const encoder = new TextEncoder()

/** News as `text/event-stream`. Nothing is asked of `news` before the client reads, and leaving cancels it. */
export function eventStreamResponse<T>(news: ReadableStream<T>, toEvent: (news: T) => ServerEvent): Response {
  const reader = news.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(textOf(toEvent(value))))
      },
      cancel: (reason) => reader.cancel(reason),
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

function textOf({ event, id, data }: ServerEvent): string {
  if (event === undefined) return ':\n\n'
  const position = id === undefined ? '' : `id: ${id}\n`
  return `event: ${event}\n${position}data: ${JSON.stringify(data ?? {})}\n\n`
}
