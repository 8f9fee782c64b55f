import { fieldsOf } from '@/lib/gateway/protocols/shared/values'
import { ChatReader, wholeOf } from './chat-completions'
import { GoogleReader } from './google'
import { MessagesReader } from './messages'
import { PROVIDER_SAID, ProviderSaidError } from './provider-said'
import { type ValueReader, valueReader, type WireValue } from './read-values'
import type { WireReader } from './reader'
import { ResponsesReader } from './responses'
import { SameFrame } from './same-frame'

const readers = {
  'chat-completions': () => new ChatReader(),
  responses: () => new ResponsesReader(),
  messages: () => new MessagesReader(),
  google: () => new GoogleReader(),
} satisfies Record<string, () => WireReader>

/** The protocols in which providers are asked. */
export type WireProtocol = keyof typeof readers

/** Time that the last words may take when the reply is whole, in ms. */
const GRACE = 2000

/**
 * `fetch` for the AI SDK: it reads what providers really send, and answers what the AI SDK takes. For a stream:
 * - a value that is no piece of the reply is passed over, and a field that is not needed decides nothing;
 * - the provider's word that it is done is the end, whatever its connection does;
 * - an answer that is no event stream is read by its content: a whole answer, lines of JSON, an error, a page.
 *
 * An answer that refuses the request passes as it came.
 *
 * @param fetch reaches the provider
 * @param grace limit of the wait for words after the reply, in ms
 */
export function wireFetch(
  fetch: typeof globalThis.fetch,
  protocol: WireProtocol,
  grace = GRACE,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, status, statusText } = response
    if (!response.ok || body === null) return response
    const isStream = asksForStream(String(input), init?.body)
    if (!isStream && protocol !== 'chat-completions') return response
    const headers = new Headers(response.headers)
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
    const told = Object.fromEntries(response.headers)
    const reader = readers[protocol]()
    const frame = isStream ? new SameFrame() : undefined
    const values = valueReader(told, frame)
    const events = readEvents(body, reader, { values, frame, headers: told, grace })
    if (isStream) {
      headers.set('content-type', 'text/event-stream')
      return new Response(bytesOf(events, reader), { status, statusText, headers })
    }
    const all: WireEvent[] = []
    for await (const some of events) all.push(...some)
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(wholeOf(all.map(fieldsOf))), { status, statusText, headers })
  }
}

const asksForStream = (url: string, body: unknown): boolean =>
  url.includes(':streamGenerateContent') || (typeof body === 'string' && /"stream":\s*true/.test(body))

/** An event for the AI SDK, or its JSON. */
type WireEvent = object | string

/** The events as the bytes of an event stream. */
function bytesOf(
  events: AsyncGenerator<WireEvent[]>,
  reader: WireReader,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const written = (event: WireEvent) =>
    `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await events.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value.map(written).join('')))
        } catch (error) {
          if (!(error instanceof ProviderSaidError)) throw error
          // a stream that breaks loses the words before: the AI SDK gets the error in its turn
          const failure = reader.failure({ type: PROVIDER_SAID, message: error.told() })
          controller.enqueue(encoder.encode(written(failure)))
          controller.close()
        }
      },
      cancel: async () => void (await events.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

interface Reading {
  values: ValueReader
  frame: SameFrame | undefined
  headers: Record<string, string>
  grace: number
}

/** The events for the AI SDK, as they come: the events of one piece of the body together. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  reader: WireReader,
  { values, frame, headers, grace }: Reading,
): AsyncGenerator<WireEvent[]> {
  const source = body.getReader()
  let isOver = false
  let made = 0
  let isRead = false
  let last: unknown
  let failure: unknown
  const take = (read: () => Iterable<WireValue>): WireEvent[] => {
    const events: WireEvent[] = []
    try {
      for (const { value, event, text, isEnd } of read()) {
        if (value === undefined && text !== undefined) {
          events.push(text)
          continue
        }
        if (!isEnd) {
          last = value
          events.push(...reader.take(value, event))
          if (text !== undefined) frame?.note(value, text)
        }
        isOver = isEnd ?? reader.state === 'done'
        if (isOver) break
      }
    } catch (error) {
      failure = error
    }
    made += events.length
    return events
  }
  try {
    while (!isOver) {
      const part = await nextPart(source, reader.state === 'finished' ? grace : undefined)
      const events = take(() => (part ? values.push(part) : values.end()))
      if (events.length > 0) yield events
      if (failure !== undefined) throw withHeaders(failure, headers)
      if (!part) break
    }
    if (values.isWhole && made === 0) throw new ProviderSaidError(JSON.stringify(last ?? ''), headers)
    // one value that is no event is a whole answer, also where it does not say that it is
    if (isOver || reader.state !== 'open' || values.isWhole) {
      const events = reader.close()
      if (events.length > 0) yield events
    }
    isRead = true
  } finally {
    letGo(source, isRead ? grace : 0)
  }
}

/**
 * Leaves a body whose reply is over. Its end is read where it comes soon, so that the connection serves the next
 * request; a body that stays open, or is lost, changes nothing.
 */
function letGo(source: ReadableStreamDefaultReader<Uint8Array>, grace: number): void {
  const cancel = () => void source.cancel().catch(() => undefined)
  if (grace === 0) {
    cancel()
    return
  }
  const late = setTimeout(cancel, grace)
  const readOn = async () => {
    while (!(await source.read()).done);
  }
  void readOn()
    .catch(() => undefined)
    .finally(() => clearTimeout(late))
}

/** A provider's failure with the headers of its answer, which say when to come back. */
const withHeaders = (error: unknown, headers: Record<string, string>): unknown =>
  error instanceof ProviderSaidError ? new ProviderSaidError(error.body, headers) : error

/**
 * The next bytes of a body; undefined at its end.
 *
 * @param grace longest wait for them, in ms: then, and when the connection breaks, the body ends
 */
async function nextPart(
  source: ReadableStreamDefaultReader<Uint8Array>,
  grace: number | undefined,
): Promise<Uint8Array | undefined> {
  if (grace === undefined) return (await source.read()).value
  const reading = source.read().then(({ value }) => value)
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, grace)
  try {
    return await Promise.race([reading.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
