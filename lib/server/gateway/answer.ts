import 'server-only'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { askForAgent, explainAnswer, type Reach } from '@/lib/ai'
import type { AgentCall, AgentReply } from '@/lib/gateway/agent-call'
import { translatable } from '@/lib/gateway/kept'
import type { Protocol, Refusal, ReplyCollector, ReplyEvent } from '@/lib/gateway/protocols/protocol'
import { withModel } from '@/lib/gateway/with-model'
import type { ReadText } from '../http/read-body'
import { headersFrom, headersTo } from './passed-headers'
import { type ReadBytes, readAhead } from './read-ahead'
import { settingsOf } from './read-settings'

/** An answer for an agent, from its head on, and the collector that reads the reply out of its bytes. */
export interface Answer {
  status: number
  headers: Headers
  read: ReadBytes
  collector: ReplyCollector
  /** chooses the bytes to show the agent; all of them unless given */
  shown?: (bytes: Uint8Array | undefined) => Uint8Array
  /** facts of the reply besides its bytes */
  told?: () => Partial<AgentReply>
}

/** A body on its way to a provider. It is read as often as it is sent: a redirect asks for it again. */
export interface Sent extends AsyncIterable<Uint8Array> {
  /** in bytes */
  readonly length: number
  /** resolves when the connection has taken all of it */
  readonly sent: Promise<void>
}

/** The provider refused before its answer began: in the words for the agent's protocol. */
export class ProviderRefusedError extends Error {
  override readonly name = 'ProviderRefusedError'

  constructor(readonly refusal: Refusal) {
    super(refusal.message)
  }
}

/** The provider could not be reached, or its connection broke before its answer began. */
export class ProviderUnreachableError extends Error {
  override readonly name = 'ProviderUnreachableError'
}

const addresses = { 'chat-completions': '/chat/completions', responses: '/responses', messages: '/messages' }

/** The address of a path below the base URL of a provider. */
export const addressAt = ({ baseUrl }: Reach, path: string): string => `${baseUrl.replace(/\/$/, '')}${path}`

/** The address at which a provider is asked in a protocol. */
export const addressOf = (reach: Reach, { name }: Protocol): string => addressAt(reach, addresses[name])

/** Rejects with `ProviderUnreachableError` when no answer begins. */
export const fetchFrom = (reach: Reach, address: string, asked: RequestInit): Promise<Response> =>
  reach.fetch(address, asked).catch((cause: unknown) => {
    throw new ProviderUnreachableError('The provider could not be reached', { cause })
  })

/** Query parameters that the API of a protocol defines. A client could put anything in others. */
const parameters: Partial<Record<Protocol['name'], readonly string[]>> = { messages: ['beta'] }

/** Types that are passed on. Others would appear as a page of this server: a person chooses the provider's address. */
const passedType = /^(?:application\/(?:[\w.+-]+\+)?json|text\/event-stream)\s*(?:;|$)/i

/**
 * Forwards a request as it came to a provider that speaks the agent's protocol; the answer is the provider's, byte for byte.
 * Rejects with `ProviderUnreachableError` when no answer begins, and with `ProviderRefusedError` when it is neither JSON nor
 * an event stream.
 */
export async function forward(
  { headers: sent, url }: Pick<Request, 'headers' | 'url'>,
  {
    body,
    protocol,
    reach,
    signal,
    below = '',
  }: {
    body: Sent
    protocol: Protocol
    reach: Reach
    signal: AbortSignal
    /** an address below that of the protocol */
    below?: string
  },
): Promise<Answer> {
  const headers = headersTo(reach, sent)
  const address = `${addressOf(reach, protocol)}${below}${queryOf(url, parameters[protocol.name])}`
  headers.set('content-length', String(body.length))
  const asked: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: Object.fromEntries(headers),
    signal,
    duplex: 'half',
    // Node takes an iterable body; the types are those of browsers, which do not
    body: body as unknown as BodyInit,
  }
  const response = await fetchFrom(reach, address, asked)
  const told = headersFrom(reach, response.headers)
  const { read, type } = await typed(response)
  told.set('content-type', type)
  const collector = type.startsWith('text/event-stream') ? protocol.collect() : wholeCollector(protocol)
  return { status: response.status, headers: told, read, collector }
}

/**
 * An answer by its type, and when that is wrong by its first bytes: some servers send events as text. Rejects
 * with `ProviderRefusedError` for anything but JSON and event streams.
 */
async function typed(response: Response): Promise<{ read: ReadBytes; type: string }> {
  const type = (response.headers.get('content-type') ?? '').toLowerCase()
  const read = readAhead(response.body)
  if (passedType.test(type)) return { read, type }
  const begun: Uint8Array[] = []
  const next = async () => {
    const part = await read()
    if (part) begun.push(part)
    return part
  }
  const first = Buffer.from((await next()) ?? []).toString('utf8')
  if (response.ok && /^\uFEFF?\s*(?:data|event|id|retry)?:/.test(first))
    return { read: async () => begun.shift() ?? read(), type: 'text/event-stream' }
  let size = first.length
  while (size < MOST_OF_PAGE) {
    const part = await next().catch(() => undefined)
    if (!part) break
    size += part.length
  }
  await response.body?.cancel().catch(() => undefined)
  throw new ProviderRefusedError(unfitAnswer(response, type, Buffer.concat(begun).toString('utf8')))
}

/** Bytes of a page that are read, for its title. */
const MOST_OF_PAGE = 10_000

function queryOf(url: string, names: readonly string[] = []): string {
  const known = [...new URL(url).searchParams].filter(([name]) => names.includes(name))
  return known.length === 0 ? '' : `?${new URLSearchParams(known)}`
}

function unfitAnswer({ status, headers, ok }: Response, type: string, body: string): Refusal {
  const came = `The provider answered with ${type.slice(0, 100) || 'content of no type'} (status ${status})`
  if (ok) {
    return {
      status: 502,
      code: 'provider_error',
      message: `${came}, not with JSON or events. Try again in a moment; if it stays so, look at the provider’s base URL in the settings.`,
    }
  }
  const { message, advice, retryAfterMs } = explainAnswer(status, body, Object.fromEntries(headers))
  return {
    // any other status would be read as one of this server
    status: status === 429 || status === 503 ? status : 502,
    code: 'provider_error',
    message: `${came}. ${message} ${advice}`,
    ...(retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  }
}

/**
 * The body of a call with the provider's name of the model, and not another byte changed.
 *
 * @param change of its text
 */
export function wholeBody(
  { text, bytes }: ReadText,
  { model }: Reach,
  change?: (text: string) => string,
): Sent {
  const named = withModel(change?.(text) ?? text, model)
  const parts = named === text ? bytes : [Buffer.from(named)]
  const { promise: sent, resolve } = Promise.withResolvers<void>()
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    sent,
    async *[Symbol.asyncIterator]() {
      yield* parts
      resolve()
    },
  }
}

/** Reads a reply from an answer that is one JSON document. */
function wholeCollector({ readReply }: Protocol): ReplyCollector {
  const parts: Uint8Array[] = []
  return {
    push: (bytes) => void parts.push(bytes),
    end(brokenOff) {
      const text = Buffer.concat(parts).toString('utf8')
      try {
        return readReply(JSON.parse(text))
      } catch {
        return { message: { role: 'assistant', content: [] }, brokenOff: brokenOff ?? UNREADABLE }
      }
    },
  }
}

const UNREADABLE = 'The answer of the provider could not be read.'

/**
 * Asks a model that speaks another protocol, and writes its reply in the agent's. Rejects with `ProviderRefusedError` when
 * the model fails before its first word.
 */
export async function translate(
  call: AgentCall,
  {
    protocol,
    model,
    id,
    signal,
  }: { protocol: Protocol; model: LanguageModelV4; id: string; signal: AbortSignal },
): Promise<Answer> {
  const { system, messages } = translatable(call.messages)
  const said = { tools: call.tools, system: [...call.system, ...system], messages }
  const events = askForAgent(model, said, settingsOf(call, model.provider), signal)
  const first = await events.next()
  if (!first.done && first.value.type === 'error') throw new ProviderRefusedError(first.value.refusal)
  const { stream_options: options } = call.settings as { stream_options?: { include_usage?: unknown } }
  const frame = {
    id,
    model: call.model,
    created: Math.floor(Date.now() / 1000),
    includeUsage: !call.streamed || options?.include_usage === true,
  }
  const known: Partial<AgentReply> = {}
  const written = writtenEvents(events, first, known, protocol.writeStream(frame))
  if (call.streamed) {
    const headers = new Headers({ 'content-type': 'text/event-stream; charset=utf-8' })
    return {
      status: 200,
      headers,
      read: reading(written),
      collector: protocol.collect(),
      told: () => known,
    }
  }
  const collector = protocol.collect()
  for await (const bytes of written) collector.push(bytes)
  const reply = { ...collector.end(), ...known }
  if (reply.brokenOff !== undefined)
    throw new ProviderRefusedError({ status: 502, code: 'provider_error', message: reply.brokenOff })
  const whole = Buffer.from(JSON.stringify(protocol.writeReply(reply, frame)))
  const headers = new Headers({ 'content-type': 'application/json' })
  return {
    status: 200,
    headers,
    read: reading([whole].values()),
    collector: wholeCollector(protocol),
    told: () => known,
  }
}

const reading =
  (parts: AsyncGenerator<Uint8Array> | Iterator<Uint8Array>): ReadBytes =>
  async () => {
    const { done, value } = await parts.next()
    return done ? undefined : value
  }

async function* writtenEvents(
  events: AsyncGenerator<ReplyEvent>,
  first: IteratorResult<ReplyEvent, unknown>,
  known: Partial<AgentReply>,
  writer: ReturnType<Protocol['writeStream']>,
): AsyncGenerator<Uint8Array> {
  const write = (event: ReplyEvent) => {
    if (event.type === 'finish') Object.assign(known, event.usage && { usage: event.usage })
    if (event.type === 'error') known.brokenOff = event.refusal.message
    return Buffer.from(writer.write(event))
  }
  yield Buffer.from(writer.begin())
  if (!first.done) yield write(first.value)
  for await (const event of events) {
    const bytes = write(event)
    if (bytes.length > 0) yield bytes
  }
  yield Buffer.from(writer.end())
}
