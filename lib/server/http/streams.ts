import 'server-only'
import { UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from 'ai'
import type { Viewer } from '@/lib/auth'
import type { Membership } from '@/lib/protocol'
import { logError, type Services, type StreamReader, streamBegins, telemetry } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { RequestRefusedError } from './problem'

/** The reader of a stream, and the place where streams are counted. */
export interface StreamCall {
  request: Request
  viewer: Viewer
  services: Pick<Services, 'streams'>
  /** the viewer's, for a stream from a chat of someone else; it ends with that */
  membership?: Membership | undefined
}

/** Text and limits of a stream. */
interface StreamOptions<T> {
  /** its name in the operator's figures */
  kind: 'reply' | 'news'
  /** true: a stream over the limit ends unread before its first read */
  exact: boolean
  text(value: T): string | Uint8Array
  /** after the last value */
  last?: string
  /** sent last when the reader's session or key has ended */
  farewell?: string
  /** sent where nothing else was for a while: proxies and clients close connections that are silent */
  beat?: string
}

/** The longest silence of a stream that has a beat, in ms; proxies wait for a minute. */
const SILENCE = 20_000

const encoder = new TextEncoder()

/** Refuses (429) a stream when the reader, or the reader's network, has as many open here as are allowed. */
export function checkStreams(call: StreamCall): void {
  const full = call.services.streams.full(readerOf(call))
  if (!full) return
  const whose = full.limit === 'streams' ? 'You follow' : 'Your network follows'
  throw new RequestRefusedError(
    429,
    'too_many_streams',
    `${whose} ${full.allowed} conversations at once, the most that is allowed. Close some of them first.`,
    { ...full },
  )
}

/**
 * A body that reads from `source` only when the client reads, and cancels it when the client leaves. The stream counts
 * from its first read: the framework neither reads nor cancels the answer to a HEAD, or to a client that has left. It ends
 * with the reader's credential; the work that it shows continues.
 */
function streamedBody<T>(
  call: StreamCall,
  source: ReadableStream<T>,
  { kind, exact, text, last, farewell, beat }: StreamOptions<T>,
): ReadableStream<Uint8Array> {
  const { streams } = call.services
  const reader = source.getReader()
  const who = readerOf(call)
  // the framework reads outside the turn
  const turn = telemetry()?.current()
  let leave: (() => void) | undefined
  let ended = false
  let isReading = false
  /** stays pending over beats */
  let reading: ReturnType<typeof reader.read> | undefined

  const close = (controller: ReadableStreamDefaultController<Uint8Array>, word: string | undefined) => {
    leave?.()
    leave = undefined
    if (word !== undefined) controller.enqueue(encoder.encode(word))
    controller.close()
  }
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const ends = streamBegins(kind, turn)
    const left = streams.enter(who, () => {
      ended = true
      // a waiting read ends with this, and sends the farewell
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
          if (exact && streams.full(who)) {
            // other streams were first; the next request is refused with the reason
            await reader.cancel()
            return controller.close()
          }
          begin(controller)
        }
        try {
          isReading = true
          reading ??= reader.read()
          const read = beat === undefined ? await reading : await within(SILENCE, reading)
          isReading = false
          if (read === undefined) return controller.enqueue(encoder.encode(beat))
          reading = undefined
          const { done, value } = read
          if (ended) close(controller, farewell)
          else if (done) close(controller, last)
          else controller.enqueue(bytesOf(text(value)))
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

/** The result of a promise, or undefined when so many milliseconds are over before. */
async function within<Result>(ms: number, result: Promise<Result>): Promise<Result | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([result, late]).finally(() => clearTimeout(timer))
}

const bytesOf = (said: string | Uint8Array): Uint8Array =>
  typeof said === 'string' ? encoder.encode(said) : said

const readerOf = ({ request, viewer, membership }: StreamCall): StreamReader => ({
  personId: viewer.id,
  credential: viewer.credential,
  ...(membership && { membership: { kind: 'member', id: membership.id } }),
  address: clientAddress(request),
})

/** One line of news for an `EventSource`; without `event`, a comment that only keeps the connection open. */
interface ServerEvent {
  event?: string
  /** sent back by an `EventSource` that reconnects */
  id?: number
  data?: unknown
}

/**
 * News as `text/event-stream`, read only when the client reads, and cancelled when it leaves. Refused (429) when the
 * reader has as many open streams here as are allowed. Ends with the reader's session or key.
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
  const text = (value: T) => textOf(toEvent(value))
  const body = streamedBody(call, news, { kind: 'news', exact: true, text })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      // against compression and buffering on the way
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // a server that stops would wait for a connection that is reused
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

/** Sent when the reader's session or membership ends; the reply is still written to its end and stored. */
const FAREWELL: UIMessageChunk = {
  type: 'error',
  errorText: 'You are signed out here, or have left this chat. The reply goes on without this page.',
}

/**
 * Parts of a reply as the AI SDK's UI message stream, read only when the client reads, and cancelled when it leaves. The
 * SDK's `createUIMessageStreamResponse` gives the same bytes in three steps for every word instead of one. It counts among
 * the reader's streams, and ends with the reader's session or key; `checkStreams` refuses it before the reply begins.
 */
export function replyStreamResponse(call: StreamCall, parts: ReadableStream<UIMessageChunk>): Response {
  const ends = { last: DONE, farewell: line(FAREWELL) + DONE, beat: ':\n\n' }
  const body = streamedBody(call, parts, { kind: 'reply', exact: false, text: line, ...ends })
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS })
}

/**
 * A response whose body is text that comes over time, counted among the reader's streams; it ends with the reader's key.
 *
 * @param onEnd called once when the body has been read to its end, or its reader has left
 */
export function countedResponse(
  call: StreamCall,
  { body, status, headers }: Response,
  onEnd: () => void,
): Response {
  if (!body) return new Response(null, { status, headers })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  const text = new ReadableStream<string>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
        onEnd()
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const counted = streamedBody(call, text, { kind: 'reply', exact: true, text: (value) => value })
  // a server that stops would wait for a connection that is reused
  headers.set('connection', 'close')
  return new Response(counted, { status, headers })
}

const line = (part: UIMessageChunk): string => `data: ${JSON.stringify(part)}\n\n`

/**
 * The bytes of an answer as they are, read only when the client reads. They count among the reader's streams, and end with
 * the reader's key.
 */
export function passedResponse(
  call: StreamCall,
  bytes: ReadableStream<Uint8Array>,
  init: ResponseInit,
): Response {
  const body = streamedBody(call, bytes, { kind: 'reply', exact: false, text: (part) => part })
  return new Response(body, init)
}
