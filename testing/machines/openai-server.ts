import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { close, listen } from './listen'

/** A chat-completions request body as it arrived; other fields are kept. */
export type ChatRequest = {
  readonly model: string
  readonly messages: readonly ChatRequestMessage[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly tools?: readonly { readonly type: string; readonly function: { readonly name: string } }[]
  readonly [field: string]: unknown
}

export type ChatRequestMessage = {
  readonly role: string
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null
  readonly [field: string]: unknown
}

/** How the server answers one request. A plain string is streamed word by word. */
export type ScriptedReply =
  | string
  | {
      /** A string is cut into words; an array is sent as exactly these deltas, surrogate halves included. */
      readonly text?: string | readonly string[]
      readonly reasoning?: string
      readonly toolCalls?: readonly { readonly id?: string; readonly name: string; readonly input: unknown }[]
      /** Deltas of other fields, after all others: what providers add to the protocol. */
      readonly added?: readonly Readonly<Record<string, unknown>>[]
      readonly finishReason?: string
      /** What the server says it took, true or not; a token a word unless given. */
      readonly usage?: {
        readonly prompt_tokens: number
        readonly completion_tokens: number
        readonly prompt_tokens_details?: { readonly cached_tokens: number }
      }
      /** Answer with this HTTP error instead; see `openAIErrors`. */
      readonly error?: ScriptedError
      /** Destroy the socket after this many content chunks. */
      readonly cutAfter?: number
      /** End the response cleanly after this many content chunks, without finish reason or [DONE]. */
      readonly endAfter?: number
      /** Send nothing more after this many content chunks, and keep the socket open. 0 sends no headers. */
      readonly hangAfter?: number
      /** Send an error event in the stream after this many content chunks. */
      readonly errorEventAfter?: number
      /** Called with how many content chunks are sent; the next one waits for what it returns. */
      readonly pace?: (sent: number) => Promise<unknown> | undefined
      /** Pause before each content chunk. */
      readonly delayMs?: number
      /**
       * A steady pace instead of pauses: content chunk n (from 0) is due n / `chunksPerSecond` seconds after the first,
       * and a late one delays none after it. `Infinity` sends as fast as the connection takes.
       */
      readonly chunksPerSecond?: number
    }

export type ScriptedError = {
  readonly status: number
  readonly message?: string
  readonly code?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Errors as OpenAI words them. */
export const openAIErrors = {
  rateLimit: (retryAfterSeconds = 1): ScriptedError => ({
    status: 429,
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests',
    headers: { 'retry-after': String(retryAfterSeconds) },
  }),
  badKey: (): ScriptedError => ({
    status: 401,
    code: 'invalid_api_key',
    message:
      'Incorrect API key provided: sk-test-1234567890. You can find your key at https://example.test/keys.',
  }),
  contextLength: (): ScriptedError => ({
    status: 400,
    code: 'context_length_exceeded',
    message: "This model's maximum context length is 8192 tokens.",
  }),
  serverError: (): ScriptedError => ({ status: 500, type: 'server_error', message: 'Internal server error' }),
} as const

export type OpenAIServerOptions = {
  /** Decides each reply; may look at the request and at how many came before. Echoes by default. */
  readonly answer?: (request: ChatRequest, index: number) => ScriptedReply | Promise<ScriptedReply>
  /** Pause before each content chunk of every reply that sets none. */
  readonly delayMs?: number
  /** When set, every request must carry it as a bearer token. */
  readonly apiKey?: string
  /** The port to listen on; a free one by default. */
  readonly port?: number
  /** What `/v1/models` lists. */
  readonly models?: readonly string[]
  /** Called with every request for that list, which waits for what it returns. */
  readonly onList?: (request: IncomingMessage) => Promise<unknown> | undefined
}

export type OpenAIServer = {
  /** Base URL to configure, `/v1` included. */
  readonly url: string
  /** Every chat request body received, oldest first, refused ones too. */
  readonly requests: ChatRequest[]
  /** Cuts open connections and frees the port. */
  close(): Promise<void>
}

/** Starts a real HTTP server on a local port that speaks OpenAI's chat completions, streamed or whole. */
export async function startOpenAIServer(options: OpenAIServerOptions = {}): Promise<OpenAIServer> {
  const requests: ChatRequest[] = []
  const server = createServer((request, response) => {
    handle(request, response, options, requests).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else
        sendError(response, { status: 500, message: `It was no JSON, or the script threw: ${String(error)}` })
    })
  })
  // As hosted providers do. Node's own five seconds end a connection in the moment a busy client uses it again.
  server.keepAliveTimeout = 60_000
  const port = await listen(server, options.port)
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => close(server) }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: OpenAIServerOptions,
  requests: ChatRequest[],
): Promise<void> {
  const path = request.url?.split('?', 1)[0]
  if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`) {
    return sendError(response, openAIErrors.badKey())
  }
  if (request.method === 'GET' && path === '/v1/models') {
    await options.onList?.(request)
    const listed = { object: 'model', created: 0, owned_by: 'test' }
    const data = (options.models ?? ['test']).map((id) => ({ id, ...listed }))
    return sendJson(response, 200, { object: 'list', data })
  }
  if (request.method !== 'POST' || path !== '/v1/chat/completions') {
    return sendError(response, { status: 404, message: `Unknown request: ${request.method} ${path}` })
  }
  const body = (await json(request)) as ChatRequest
  requests.push(body)
  const asked = body.messages.findLast(({ role }) => role === 'user')
  const echo = `You said: ${asked ? textOf(asked) : ''}`
  const reply = (await options.answer?.(body, requests.length - 1)) ?? echo
  await play(typeof reply === 'string' ? { text: reply } : reply, body, response, options.delayMs ?? 0)
}

async function play(
  reply: Exclude<ScriptedReply, string>,
  request: ChatRequest,
  response: ServerResponse,
  delayMs: number,
): Promise<void> {
  if (reply.error !== undefined) return sendError(response, reply.error)
  if (reply.hangAfter === 0) return
  const deltas = deltasOf(reply)
  if (request.stream !== true) return sendJson(response, 200, wholeReply(reply, request))

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const send = (data: unknown) =>
    new Promise<void>((sent) => response.write(`data: ${JSON.stringify(data)}\n\n`, () => sent()))
  const chunk = (choice: object) => ({
    ...frame(request, 'chat.completion.chunk'),
    choices: [{ index: 0, ...choice }],
  })

  await send(chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }))
  const begun = performance.now()
  for (const [index, delta] of deltas.entries()) {
    if (await interrupted(index)) return
    if (reply.chunksPerSecond === undefined) await sleep(reply.delayMs ?? delayMs)
    else await sleepUntil(begun + (index / reply.chunksPerSecond) * 1000)
    if (response.destroyed) return
    await send(chunk({ delta, finish_reason: null }))
  }
  if (await interrupted(deltas.length)) return
  await send(chunk({ delta: {}, finish_reason: finishReasonOf(reply) }))
  if (request.stream_options?.include_usage === true) {
    await send({ ...frame(request, 'chat.completion.chunk'), choices: [], usage: usageOf(reply, request) })
  }
  response.end('data: [DONE]\n\n')

  async function interrupted(sent: number): Promise<boolean> {
    await reply.pace?.(sent)
    if (reply.hangAfter === sent) return true
    if (reply.cutAfter === sent) {
      // The bytes written so far reach the reader first: the cut would drop them.
      await sleep(20)
      response.socket?.destroy()
      return true
    }
    if (reply.endAfter === sent) {
      response.end()
      return true
    }
    if (reply.errorEventAfter === sent) {
      await send({ error: { message: 'The server is overloaded', type: 'server_error', code: null } })
      response.end()
      return true
    }
    return false
  }
}

/** @param time by `performance.now()`; a time in the past makes no pause */
async function sleepUntil(time: number): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await sleep(left)
}

type Delta = Readonly<Record<string, unknown>>

function deltasOf(reply: Exclude<ScriptedReply, string>): Delta[] {
  return [
    ...wordsOf(reply.reasoning).map((reasoning_content) => ({ reasoning_content })),
    ...wordsOf(reply.text).map((content) => ({ content })),
    ...toolCallsOf(reply).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
    ...(reply.added ?? []),
  ]
}

function wordsOf(text: string | readonly string[] = []): readonly string[] {
  return typeof text === 'string' ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : text
}

function toolCallsOf(reply: Exclude<ScriptedReply, string>) {
  return (reply.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))
}

function wholeReply(reply: Exclude<ScriptedReply, string>, request: ChatRequest) {
  const calls = toolCallsOf(reply)
  const content = wordsOf(reply.text).join('')
  const message = {
    role: 'assistant',
    content: content || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return {
    ...frame(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply) }],
    usage: usageOf(reply, request),
  }
}

function frame(request: ChatRequest, object: string) {
  return { id: 'chatcmpl-test', object, created: 0, model: request.model }
}

function finishReasonOf(reply: Exclude<ScriptedReply, string>): string {
  return reply.finishReason ?? ((reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop')
}

/** One token a word, unless scripted: easy to predict in a test. */
function usageOf(reply: Exclude<ScriptedReply, string>, request: ChatRequest) {
  const words = {
    prompt_tokens: request.messages.reduce((sum, message) => sum + wordsOf(textOf(message)).length, 0),
    completion_tokens: wordsOf(reply.reasoning).length + wordsOf(reply.text).length,
  }
  const { prompt_tokens, completion_tokens } = reply.usage ?? words
  const total_tokens = prompt_tokens + completion_tokens
  return { ...(reply.usage ?? words), total_tokens }
}

/** The text of a request message, whichever of the two shapes it came in. */
export function textOf(message: ChatRequestMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).map((part) => part.text ?? '').join('')
}

function sendError(response: ServerResponse, error: ScriptedError): void {
  const { status, message = 'Error', code = null, type = 'invalid_request_error', headers = {} } = error
  sendJson(response, status, { error: { message, type, param: null, code } }, headers)
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
