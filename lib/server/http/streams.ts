import 'server-only'
import { UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from 'ai'
import type { Viewer } from '@/lib/auth'
import { logError, type Services, type StreamReader, streamBegins, telemetry } from '@/lib/runtime'
import { clientAddress } from './client-address'
import { RequestRefusedError } from './problem'

/** Who reads a stream, and where streams are counted. */
export interface StreamCall {
  request: Request
  viewer: Viewer
  services: Pick<Services, 'streams'>
}

/** How values become text, and what is said at the end. */
interface Wording<T> {
  text(value: T): string
  /** after the last value */
  last?: string
  /** instead of what would have come, when the reader's session or key has ended */
  farewell?: string
}

const encoder = new TextEncoder()

/** Refuses (429) a reader who has as many streams open here as are allowed, or whose network has. */
export function checkStreams(call: StreamCall): void {
  const full = call.services.streams.full(readerOf(call))
  if (!full) return
  const whose = full.limit === 'streams' ? 'You follow' : 'Your network follows'
  throw new RequestRefusedError(
    429,
    'too_many_streams',
    `${whose} ${full.allowed} conversations at once already. Close some of them first.`,
    { ...full },
  )
}

/**
 * A body that asks nothing of `source` before the client reads, and cancels it when the client leaves. The stream is
 * counted in when it is first read from: an answer to a HEAD, or to a client that has left, is neither read nor cancelled.
 * It ends when the reader's credential ends; what it told of goes on.
 *
 * @param options.kind what the operator's figures call it
 * @param options.exact whether a stream for which there is no room by then ends unread
 */
function streamedBody<T>(
  call: StreamCall,
  source: ReadableStream<T>,
  { text, last, farewell }: Wording<T>,
  options: { kind: 'reply' | 'news'; exact: boolean },
): ReadableStream<Uint8Array> {
  const { streams } = call.services
  const reader = source.getReader()
  const who = readerOf(call)
  // the framework reads outside the turn
  const turn = telemetry()?.current()
  let leave: (() => void) | undefined
  let ended = false
  let isReading = false

  const close = (controller: ReadableStreamDefaultController<Uint8Array>, word: string | undefined) => {
    leave?.()
    leave = undefined
    if (word !== undefined) controller.enqueue(encoder.encode(word))
    controller.close()
  }
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const ends = streamBegins(options.kind, turn)
    const left = streams.enter(who, () => {
      ended = true
      // a read that waits is over with this, and says farewell
      reader.cancel().catch((error: unknown) => logError('ending a stream', error))
      if (!isReading) close(controller, farewell)
    })
    leave = () => {
      left()
      ends()
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!leave) {
          if (options.exact && streams.full(who)) {
            // others came first; asking anew is told why
            await reader.cancel()
            return controller.close()
          }
          begin(controller)
        }
        try {
          isReading = true
          const { done, value } = await reader.read()
          isReading = false
          if (ended) close(controller, farewell)
          else if (done) close(controller, last)
          else controller.enqueue(encoder.encode(text(value)))
        } catch (error) {
          leave?.()
          leave = undefined
          throw error
        }
      },
      cancel(reason) {
        leave?.()
        leave = undefined
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const readerOf = ({ request, viewer }: StreamCall): StreamReader => ({
  personId: viewer.id,
  credential: viewer.credential,
  address: clientAddress(request),
})

/** One line of news for an `EventSource`; without `event`, a comment that only keeps the connection open. */
interface ServerEvent {
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

const DONE = 'data: [DONE]\n\n'

/** The reply itself is written to its end and stored. */
const FAREWELL: UIMessageChunk = {
  type: 'error',
  errorText: 'You are signed out here. The reply goes on without this page.',
}

/**
 * Parts of a reply as the AI SDK's UI message stream: what its `createUIMessageStreamResponse` makes, in one step instead
 * of three that every word would pass. Nothing is asked of `parts` before the client reads, and leaving cancels it. It
 * counts among the reader's streams, and ends with the reader's session or key; `checkStreams` refuses one too many
 * before there is a reply.
 */
export function replyStreamResponse(call: StreamCall, parts: ReadableStream<UIMessageChunk>): Response {
  const body = streamedBody(
    call,
    parts,
    { text: line, last: DONE, farewell: line(FAREWELL) + DONE },
    { kind: 'reply', exact: false },
  )
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS })
}

const line = (part: UIMessageChunk): string => `data: ${JSON.stringify(part)}\n\n`
