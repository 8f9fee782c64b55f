// One table of all kinds of answers that providers send: each row is a case of the reader, and they share one server and one way of asking.

import { tool } from 'ai'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createModels } from '@/lib/ai/registry'
import { streamReply } from '@/lib/ai/stream-reply'
import { type ProviderAnswer, type ProviderRequest, startProvider } from '@/testing/machines/provider-server'

const servers: { close(): Promise<unknown> }[] = []
// not after each: those that wait run at the same time
afterAll(async () => {
  for (const server of servers.splice(0)) await server.close()
})

type Answer = (request: ProviderRequest, index: number) => ProviderAnswer | Promise<ProviderAnswer>

async function provider(answer: Answer) {
  const server = await startProvider(answer)
  servers.push(server)
  return server
}

const calculator = tool({
  inputSchema: z.object({ expression: z.string().optional() }),
  execute: ({ expression = 'nothing' }) => ({ was: expression }),
})

const models = {
  'openai-compatible': (url: string) =>
    createModels({ OPENAI_COMPATIBLE_BASE_URL: url, OPENAI_COMPATIBLE_MODELS: 'm' }).get(
      'openai-compatible:m',
    ),
  openai: (url: string) =>
    createModels({ OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: url, RAMIFY_DEFAULT_MODEL: 'openai:m' }).get(
      'openai:m',
    ),
  anthropic: (url: string) =>
    createModels({
      ANTHROPIC_API_KEY: 'sk-1',
      ANTHROPIC_BASE_URL: url,
      RAMIFY_DEFAULT_MODEL: 'anthropic:m',
    }).get('anthropic:m'),
  google: (url: string) =>
    createModels(
      { GOOGLE_GENERATIVE_AI_API_KEY: 'sk-1', RAMIFY_DEFAULT_MODEL: 'google:m' },
      { fetch: (input, init) => fetch(String(input).replace(/^https:\/\/[^/]+/, url), init) },
    ).get('google:m'),
}
type Maker = keyof typeof models

/** The reply to a provider's answer. */
async function reply(answer: Answer, maker: Maker = 'openai-compatible', maxSteps = 1) {
  const server = await provider(answer)
  const { done } = streamReply({
    model: models[maker](server.url),
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How are things?' }] }],
    replyId: 'r1',
    tools: { calculator },
    maxRetries: 0,
    maxSteps,
  })
  const outcome = await done
  const words = (type: string) =>
    outcome.message.parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  return {
    outcome,
    requests: server.requests,
    text: words('text'),
    reasoning: words('reasoning'),
    calls: outcome.message.parts.flatMap((part) =>
      'toolCallId' in part && 'input' in part ? [part.input] : [],
    ),
    error: outcome.error && `${outcome.error.message} ${outcome.error.advice}`,
  }
}

const say = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const piece = (delta: unknown, finish_reason: unknown = null, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
const words = [piece({ role: 'assistant', content: 'All ' }), piece({ content: 'is well.' })]
const [first, second] = words.map(say)
const end = say(piece({}, 'stop'))
const whole = `${first}${second}${end}${say({ choices: [], usage })}${say('[DONE]')}`
const sse = (...pieces: string[]): ProviderAnswer => ({
  pieces,
  headers: { 'content-type': 'text/event-stream' },
})

const anthropic = (events: object[]) => sse(...events.map((event) => say(event)))
const message = [
  { type: 'message_start', message: { id: 'm1', model: 'm', role: 'assistant', usage: { input_tokens: 5 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'All is well.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
] as const
const response = [
  { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i1' } },
  { type: 'response.output_text.delta', item_id: 'i1', output_index: 0, delta: 'All is well.' },
  { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i1' } },
  { type: 'response.completed', response: { usage: { input_tokens: 5, output_tokens: 3 } } },
] as const
const google = (parts: unknown, more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, ...more }],
})

/** The events of a stream with one more among them. */
const among = (events: readonly object[], at: number, more: object) => events.toSpliced(at, 0, more)
/** The events of a stream with other fields in one of them. */
const changed = (events: readonly object[], at: number, change: object) =>
  events.map((event, index) => (index === at ? { ...event, ...change } : event))

describe('what is no piece of the reply is passed over', () => {
  it.each<[string, ProviderAnswer, Maker?]>([
    ['a comment', sse(': ping\n\n', whole)],
    ['a named event', sse('event: ping\ndata: {}\n\n', whole)],
    [
      'a heart beat',
      sse(say({ type: 'ping' }), first ?? '', say({ type: 'heartbeat' }), whole.slice(first?.length)),
    ],
    ['empty data', sse('data:\n\ndata: \n\n', whole)],
    ['null, a number, a list and words', sse(say('null'), say('5'), say('[]'), say('keep-alive'), whole)],
    ['data after the end', sse(whole, say({ cost: 0.1 }), say('not read'))],
    ['a state', sse(say({ status: 'queued', message: 'You are third' }), whole)],
    ['a warning', sse(say({ warning: 'provider_did_not_report_usage_on_stream' }), whole)],
    ['no choices', sse(say({ id: 'c' }), say({ choices: null }), say({ choices: [] }), whole)],
    [
      'pieces without anything',
      sse(say(piece(null)), say(piece(undefined)), say({ choices: [null] }), whole),
    ],
    ['empty errors', sse(say(piece({}, null, { error: null })), say(piece({}, null, { error: {} })), whole)],
    [
      'roles of many kinds',
      sse(say(piece({ role: 'Assistant' })), say(piece({ role: null })), say(piece({ role: 5 })), whole),
    ],
    ['ids of many kinds', sse(say(piece({}, null, { id: 5, model: null, created: '1' })), whole)],
    ['an empty reason to end', sse(say(piece({ content: '' }, '')), whole)],
    ['the reply of another choice', sse(say({ choices: [{ index: 1, delta: { content: 'No.' } }] }), whole)],
    ['ping of Anthropic', anthropic(among(message, 1, { type: 'ping', cost: 1 })), 'anthropic'],
    [
      'an event that nobody knows',
      anthropic(among(message, 3, { type: 'message_progress', percent: 5 })),
      'anthropic',
    ],
    [
      'a piece that nobody knows',
      anthropic(among(message, 2, { type: 'content_block_delta', index: 0, delta: { type: 'mood' } })),
      'anthropic',
    ],
    [
      'a citation that nobody knows',
      anthropic(
        among(message, 2, {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'citations_delta', citation: { type: 'x' } },
        }),
      ),
      'anthropic',
    ],
    [
      'a part that nobody knows',
      anthropic([
        ...message.slice(0, 4),
        { type: 'content_block_start', index: 1, content_block: { type: 'hologram' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'No.' } },
        { type: 'content_block_stop', index: 1 },
        ...message.slice(4),
      ]),
      'anthropic',
    ],
    [
      'no tokens of Anthropic',
      anthropic(changed(changed(message, 0, { message: {} }), 4, { usage: null })),
      'anthropic',
    ],
    [
      'an event of OpenAI that nobody knows',
      anthropic(among(response, 2, { type: 'response.mood', delta: 5 })),
      'openai',
    ],
    [
      'an annotation that nobody knows',
      anthropic(among(response, 3, { type: 'response.output_text.annotation.added', annotation: 5 })),
      'openai',
    ],
    ['a response without names', anthropic(changed(response, 0, { response: {} })), 'openai'],
    [
      'odd tokens of OpenAI',
      anthropic(changed(response, 4, { response: { usage: { input_tokens: '5' } } })),
      'openai',
    ],
    [
      'a piece without its number',
      anthropic(changed(response, 2, { item_id: null, output_index: undefined })),
      'openai',
    ],
    [
      'ping of Google',
      sse(say({ type: 'ping' }), say(google([{ text: 'All is well.' }], { finishReason: 'STOP' }))),
      'google',
    ],
    [
      'odd ratings',
      sse(say(google([{ text: 'All is well.' }], { safetyRatings: 'none', finishReason: 'STOP' }))),
      'google',
    ],
    [
      'odd sources',
      sse(
        say(
          google([{ text: 'All is well.' }], {
            groundingMetadata: { groundingChunks: 5 },
            finishReason: 'STOP',
          }),
        ),
      ),
      'google',
    ],
    [
      'odd tokens of Google',
      sse(
        say({
          ...google([{ text: 'All is well.' }], { finishReason: 'STOP' }),
          usageMetadata: { totalTokenCount: null, x: {} },
        }),
      ),
      'google',
    ],
  ])('given %s, then the reply is whole', async (_, answer, maker) => {
    const { text, outcome, error } = await reply(() => answer, maker)
    expect({ text, status: outcome.status, error }).toEqual({
      text: 'All is well.',
      status: 'completed',
      error: undefined,
    })
  })

  it.each<[string, unknown, number | undefined]>([
    ['in a last piece without choices', { usage }, 8],
    ['as texts', { choices: [], usage: { prompt_tokens: '5', completion_tokens: '3' } }, 8],
    ['without a total', { choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } }, 8],
    [
      'with empty details',
      { choices: [], usage: { ...usage, prompt_tokens_details: null, completion_tokens_details: 'no' } },
      8,
    ],
    ['by other names', { choices: [], usage: { input_tokens: 5, output_tokens: 3 } }, 8],
    ['as Groq does', { choices: [], x_groq: { usage } }, 8],
    ['as Moonshot does', { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }, 8],
    ['as null', { choices: [], usage: null }, undefined],
    ['as a text', { choices: [], usage: 'eight' }, undefined],
    ['as nulls', { choices: [], usage: { prompt_tokens: null, completion_tokens: null } }, undefined],
    ['as an empty object', { choices: [], usage: {} }, undefined],
  ])('given tokens are told %s, then they are read and the reply is whole', async (_, told, tokens) => {
    const { text, outcome } = await reply(() => sse(first ?? '', second ?? '', end, say(told), say('[DONE]')))
    expect(text).toBe('All is well.')
    expect(outcome).toMatchObject({ status: 'completed' })
    expect(outcome.usage?.totalTokens).toBe(tokens)
  })
})

describe('the provider’s word that it is done is the end', () => {
  const never = () => new Promise<void>(() => undefined)
  /** Pieces after which the connection stays open. */
  const open = (...pieces: string[]): ProviderAnswer => ({
    ...sse(...pieces, ': still here\n\n'),
    before: (index) => (index === pieces.length ? never() : undefined),
  })
  const text = [first, second] as [string, string]
  it.concurrent.each<[string, ProviderAnswer, Maker?]>([
    ['[DONE], and an open connection', open(whole)],
    ['[DONE] alone, and an open connection', open(...text, say('[DONE]'))],
    ['[DONE] alone, and the end', sse(...text, say('[DONE]'))],
    ['"[DONE]" as JSON', sse(...text, say('"[DONE]"'))],
    ['a reason to end, and an open connection', open(...text, end)],
    ['a reason to end, and a broken connection', { ...sse(...text, end), cut: true }],
    ['[DONE], and a broken connection', { ...sse(whole), cut: true }],
    ['a reason that nobody knows', open(...text, say(piece({}, 'eos_hit')))],
    ['a reason in capitals', sse(...text, say(piece({}, 'STOP')))],
    ['message_stop, and an open connection', open(...message.map(say)), 'anthropic'],
    [
      'a reason of Anthropic, and a broken connection',
      { ...anthropic(message.slice(0, 5)), cut: true },
      'anthropic',
    ],
    ['[DONE] in place of message_stop', sse(...message.slice(0, 4).map(say), say('[DONE]')), 'anthropic'],
    ['response.completed, and an open connection', open(...response.map(say)), 'openai'],
    ['[DONE] in place of response.completed', sse(...response.slice(0, 4).map(say), say('[DONE]')), 'openai'],
    [
      'a reason of Google, and an open connection',
      open(say(google([{ text: 'All is well.' }], { finishReason: 'STOP' }))),
      'google',
    ],
    ['[DONE] of Google', sse(say(google([{ text: 'All is well.' }])), say('[DONE]')), 'google'],
  ])('given %s, then the reply is done', async (_, answer, maker) => {
    const begun = performance.now()
    const { text, outcome } = await reply(() => answer, maker)
    expect({ text, status: outcome.status }).toEqual({ text: 'All is well.', status: 'completed' })
    expect(performance.now() - begun).toBeLessThan(4000)
  })

  it('given tokens that come a moment after the reason to end, then they are read', async () => {
    const late: ProviderAnswer = {
      ...sse(first ?? '', end, say({ choices: [], usage })),
      before: (index) => (index === 2 ? new Promise((resolve) => setTimeout(resolve, 200)) : undefined),
    }
    const { outcome } = await reply(() => late)
    expect(outcome.usage?.totalTokens).toBe(8)
  })

  it('given words after a reason to end that stands in every piece, then they are read', async () => {
    const { text, outcome } = await reply(() =>
      sse(
        ...words.map((chunk) =>
          say(changed([chunk], 0, { choices: [{ ...chunk.choices[0], finish_reason: 'stop' }] })[0]),
        ),
      ),
    )
    expect({ text, status: outcome.status }).toEqual({ text: 'All is well.', status: 'completed' })
  })

  it.each<[string, ProviderAnswer]>([
    ['the end', sse(first ?? '', second ?? '')],
    ['a broken connection', { ...sse(first ?? '', second ?? ''), cut: true }],
  ])('given no such word before %s, then the reply has failed', async (_, answer) => {
    const { outcome } = await reply(() => answer)
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'network' } })
  })
})

describe('an answer is read for what it is', () => {
  const json = { 'content-type': 'application/json' }
  const answer = (choice: object) =>
    JSON.stringify({ id: 'x', object: 'chat.completion', choices: [choice], usage })
  const said = { role: 'assistant', content: 'All is well.' }
  it.each<[string, ProviderAnswer, Maker?]>([
    [
      'a whole answer',
      { headers: json, pieces: [answer({ index: 0, message: said, finish_reason: 'stop' })] },
    ],
    [
      'a whole answer in lines',
      { headers: json, pieces: [JSON.stringify(JSON.parse(answer({ message: said })), null, 2)] },
    ],
    ['a whole answer with a line end', { headers: json, pieces: [`${answer({ message: said })}\n`] }],
    ['a whole answer in an event', sse(say(answer({ message: said, finish_reason: 'stop' })))],
    [
      'lines of JSON',
      {
        headers: { 'content-type': 'application/x-ndjson' },
        pieces: [...words, piece({}, 'stop')].map((chunk) => `${JSON.stringify(chunk)}\n`),
      },
    ],
    ['events of the type text/plain', { headers: { 'content-type': 'text/plain' }, pieces: [whole] }],
    ['events of the type application/json', { headers: json, pieces: [whole] }],
    ['events of no type', { headers: { 'content-type': '' }, pieces: [whole] }],
    ['a byte order mark', { headers: json, pieces: [`\uFEFF${whole}`] }],
    ['line ends with CR LF', sse(whole.replaceAll('\n', '\r\n'))],
    ['line ends with CR', sse(whole.replaceAll('\n', '\r'))],
    ['CR LF that is cut', sse(...whole.replaceAll('\n', '\r\n').split(/(?<=\r)/))],
    ['no space after the colon', sse(whole.replaceAll('data: ', 'data:'))],
    [
      'data of many lines',
      sse(
        ...[...words, piece({}, 'stop')].map(
          (chunk) => `${JSON.stringify(chunk, null, 1).replaceAll(/^/gm, 'data: ')}\n\n`,
        ),
      ),
    ],
    ['events without empty lines', sse(`${whole.replaceAll('\n\n', '\n')}\n`)],
    ['no empty line at the end', sse(`${first}${second}${end}`.trimEnd())],
    [
      'both pieces and the whole',
      sse(first ?? '', second ?? '', say(answer({ message: said, finish_reason: 'stop' }))),
    ],
    ['content in parts', sse(say(piece({ content: [{ type: 'text', text: 'All is ' }, 'well.'] })), end)],
    [
      'a whole message of Anthropic',
      {
        headers: json,
        pieces: [
          JSON.stringify({
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text: 'All is well.' }],
            stop_reason: 'end_turn',
          }),
        ],
      },
      'anthropic',
    ],
    [
      'events without types',
      sse(...message.map(({ type, ...event }) => `event: ${type}\n${say(event)}`)),
      'anthropic',
    ],
    [
      'words at the beginning of a part',
      anthropic(
        changed(message.toSpliced(2, 1), 1, { content_block: { type: 'text', text: 'All is well.' } }),
      ),
      'anthropic',
    ],
    ['a part that was not begun', anthropic(message.toSpliced(1, 1)), 'anthropic'],
    [
      'a whole response',
      {
        headers: json,
        pieces: [
          JSON.stringify({
            object: 'response',
            id: 'r',
            output: [{ type: 'message', content: [{ type: 'output_text', text: 'All is well.' }] }],
          }),
        ],
      },
      'openai',
    ],
    [
      'a response in its last event',
      anthropic([
        {
          type: 'response.completed',
          response: {
            output: [{ type: 'message', id: 'i', content: [{ type: 'output_text', text: 'All is well.' }] }],
          },
        },
      ]),
      'openai',
    ],
    [
      'a list of Google’s pieces',
      {
        headers: json,
        pieces: [
          JSON.stringify(
            [google([{ text: 'All ' }]), google([{ text: 'is well.' }], { finishReason: 'STOP' })],
            null,
            1,
          ),
        ],
      },
      'google',
    ],
  ])('given %s, then it is the reply', async (_, given, maker) => {
    const { text, outcome, error } = await reply(() => given, maker)
    expect({ text, status: outcome.status, error }).toEqual({
      text: 'All is well.',
      status: 'completed',
      error: undefined,
    })
  })

  it('given a whole answer with thoughts and a call, then both are in the reply', async () => {
    const called = {
      ...said,
      reasoning: 'Let me see.',
      tool_calls: [{ id: 'a', function: { name: 'calculator', arguments: { expression: '2+3' } } }],
    }
    const { reasoning, calls } = await reply(() => ({
      headers: json,
      pieces: [answer({ message: called, finish_reason: 'tool_calls' })],
    }))
    expect({ reasoning, calls }).toEqual({ reasoning: 'Let me see.', calls: [{ expression: '2+3' }] })
  })

  it.each([
    [
      'a page',
      '<!doctype html><html><head><title>Sign in - Acme</title></head></html>',
      /web page.*Sign in - Acme.*base URL/,
    ],
    ['a page without a title', '<html><body>Welcome</body></html>', /web page.*base URL/],
    ['a sentence', 'The gateway is asleep', /It said: “The gateway is asleep”/],
    ['JSON that is cut', '{"choices":[{"message":{"content":"All', /could not be read/],
    ['JSON that is no reply', '{"message":"pong"}', /It said: “pong”/],
  ])('given %s, then the person is told', async (_, body, told) => {
    const { error, outcome } = await reply(() => ({
      headers: { 'content-type': 'text/html' },
      pieces: [body],
    }))
    expect(outcome.status).toBe('failed')
    expect(error).toMatch(told)
  })
})

describe('what the provider says of its failure reaches the person', () => {
  const why = 'the model runner has stopped'
  const shapes: readonly (readonly [string, string])[] = [
    ['words', why],
    ['error as words', JSON.stringify({ error: why })],
    ['error as an object', JSON.stringify({ error: { message: why, type: 'x', code: null } })],
    [
      'error without a message of its own',
      JSON.stringify({
        error: {
          message: 'Provider returned error',
          metadata: { raw: JSON.stringify({ error: { message: why } }) },
        },
      }),
    ],
    ['detail', JSON.stringify({ detail: why })],
    [
      'details of fields',
      JSON.stringify({ detail: [{ loc: ['body', 'model'], msg: why, type: 'value_error' }] }),
    ],
    ['a message', JSON.stringify({ object: 'error', message: why, code: 400 })],
    ['a message with details', JSON.stringify({ object: 'error', message: { detail: [{ msg: why }] } })],
    ['a message beside a status', JSON.stringify({ statusCode: 400, error: 'Bad Request', message: why })],
    ['errors', JSON.stringify({ success: false, errors: [{ code: 7003, message: why }], result: null })],
    ['a list', JSON.stringify([{ error: { code: 400, message: why, status: 'INVALID_ARGUMENT' } }])],
    ['JSON in words', JSON.stringify({ error: { message: `upstream: {"error":{"message":"${why}"}}` } })],
    ['XML', `<?xml version="1.0"?><Error><Code>X</Code><Message>${why}</Message></Error>`],
  ]

  it.each(shapes)('given a refusal as %s', async (_, body) => {
    const { error } = await reply(() => ({ status: 400, pieces: [body] }))
    expect(error).toContain(why)
  })

  it.each(shapes.slice(1))('given an answer of 200 as %s', async (_, body) => {
    const { error } = await reply(() => ({ pieces: [body] }))
    expect(error).toContain(why)
  })

  it.each<[string, string, Maker?]>([
    ...shapes.slice(1, 11).map(([name, body]): [string, string] => [`${name} in the stream`, say(body)]),
    ['words of an event `error`', `event: error\ndata: ${why}\n\n`],
    ['a field `error`', `error: ${JSON.stringify({ code: 500, message: why })}\n\n`],
    ['JSON without a field', `${JSON.stringify({ error: why })}\n`],
    ['an error with a piece', say(piece({ content: '' }, 'error', { error: { code: 502, message: why } }))],
    [
      'an error of Anthropic',
      say({ type: 'error', error: { type: 'api_error', message: why } }),
      'anthropic',
    ],
    [
      'a failed response',
      say({ type: 'response.failed', response: { error: { code: 'x', message: why } } }),
      'openai',
    ],
    ['an error of OpenAI', say({ type: 'error', message: why }), 'openai'],
    ['an error of Google', say({ error: { code: 500, message: why, status: 'INTERNAL' } }), 'google'],
  ])('given %s', async (_, event, maker) => {
    const begun = maker === undefined ? [first ?? ''] : []
    const { error, text } = await reply(() => sse(...begun, event), maker)
    expect(error).toContain(why)
    if (maker === undefined) expect(text).toBe('All ')
  })

  it.each<[string, number, string, string, RegExp]>([
    [
      'llama.cpp',
      400,
      '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
      'context_length',
      /Branch from an earlier/,
    ],
    [
      'LM Studio',
      400,
      '{"error":"Trying to keep the first 5000 tokens when context the overflows."}',
      'context_length',
      /earlier/,
    ],
    [
      'vLLM',
      400,
      '{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, you requested 5000"}',
      'context_length',
      /earlier/,
    ],
    [
      'TGI',
      422,
      '{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048"}',
      'context_length',
      /earlier/,
    ],
    ['Bedrock', 400, '{"message":"Input is too long for requested model."}', 'context_length', /earlier/],
    ['Ollama', 404, '{"error":"model \\"qwen9\\" not found, try pulling it first"}', 'unknown', /qwen9/],
    [
      'OpenRouter',
      400,
      '{"error":{"message":"x/y is not a valid model ID","code":400}}',
      'unknown',
      /Choose another model/,
    ],
    ['a wrong address', 404, '404 page not found', 'unknown', /base URL/],
    ['DeepSeek', 402, '{"error":{"message":"Insufficient Balance"}}', 'rate_limit', /Add credit/],
    [
      'Groq',
      413,
      '{"error":{"message":"Request too large for model on tokens per minute (TPM): Limit 6000. Please try again in 7.5s","code":"rate_limit_exceeded"}}',
      'rate_limit',
      /in 8 s/,
    ],
    [
      'Gemini',
      429,
      '[{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 32.1s.","status":"RESOURCE_EXHAUSTED"}}]',
      'rate_limit',
      /in 33 s/,
    ],
    ['a key', 401, '{"detail":"Invalid bearer token"}', 'bad_key', /Invalid bearer token/],
    [
      'a region',
      403,
      '{"error":{"message":"Country, region, or territory not supported"}}',
      'bad_key',
      /territory/,
    ],
    ['a busy server', 503, '{"error":"no healthy upstream"}', 'overloaded', /no healthy upstream/],
    [
      'a model that loads',
      503,
      '{"error":{"message":"Loading model","code":503}}',
      'overloaded',
      /Loading model/,
    ],
    [
      'a page of a proxy',
      502,
      '<html><head><title>502 Bad Gateway</title></head></html>',
      'overloaded',
      /internal problem\. Wait/,
    ],
  ])('given %s refuses, then the advice fits', async (_, status, body, kind, told) => {
    const { error, outcome } = await reply(() => ({ status, pieces: [body] }))
    expect(outcome.error?.kind).toBe(kind)
    expect(error).toMatch(told)
  })

  it.each<[string, ProviderAnswer]>([
    [
      'a refusal',
      { status: 429, headers: { 'retry-after': '7' }, pieces: ['<html><title>Slow down</title></html>'] },
    ],
    [
      'an answer of 200',
      { headers: { 'retry-after': '7' }, pieces: ['{"error":{"code":429,"message":"slow"}}'] },
    ],
    [
      'an event',
      {
        headers: { 'retry-after': '7', 'content-type': 'text/event-stream' },
        pieces: [say({ error: { code: 429, message: 'slow' } })],
      },
    ],
  ])('given %s says when to come back, then it is told', async (_, answer) => {
    const { outcome } = await reply(() => answer)
    expect(outcome.error).toMatchObject({ kind: 'rate_limit', retryAfterMs: 7000 })
  })
})

describe('calls of tools are read, once each', () => {
  const call = (fields: object) => say(piece({ tool_calls: [fields] }))
  const calc = (args: unknown, more: object = {}) => ({
    index: 0,
    id: 'a1',
    type: 'function',
    ...more,
    function: { name: 'calculator', arguments: args },
  })
  const rest = (args: unknown, more: object = {}) => ({ index: 0, ...more, function: { arguments: args } })
  const text = '{"expression":"2+3"}'
  const one = [{ expression: '2+3' }]
  const ends = say(piece({}, 'tool_calls'))
  it.each<[string, string[], unknown[]]>([
    ['arguments as an object', [call(calc({ expression: '2+3' }))], one],
    ['arguments in pieces', [call(calc('')), call(rest('{"expre')), call(rest('ssion":"2+3"}'))], one],
    [
      'a number as a text',
      [call(calc('{"expression"', { index: '0' })), call(rest(':"2+3"}', { index: '0' }))],
      one,
    ],
    [
      'no number',
      [call(calc('{"expression"', { index: undefined })), call(rest(':"2+3"}', { index: undefined }))],
      one,
    ],
    [
      'two calls without numbers',
      [
        say(
          piece({
            tool_calls: [
              calc(text, { index: undefined }),
              calc('{"expression":"1"}', { index: undefined, id: 'a2' }),
            ],
          }),
        ),
      ],
      [...one, { expression: '1' }],
    ],
    [
      'two calls of one number',
      [call(calc(text)), call(calc('{"expression":"1"}', { id: 'a2' }))],
      [...one, { expression: '1' }],
    ],
    [
      'two calls of one number without ids',
      [call(calc(text, { id: null })), call(calc('{"expression":"1"}', { id: null }))],
      [...one, { expression: '1' }],
    ],
    ['a call twice', [call(calc(text)), call(calc(text))], one],
    [
      'a call twice with objects',
      [call(calc({ expression: '2+3' })), call(calc({ expression: '2+3' }))],
      one,
    ],
    ['a call twice by other numbers', [call(calc(text)), call(calc(text, { index: 1 }))], one],
    ['a call again at the end', [call(calc('{"expression"')), call(rest(':"2+3"}')), call(calc(text))], one],
    ['arguments as a text in a text', [call(calc(JSON.stringify(text)))], one],
    [
      'arguments as a text in a text, in pieces',
      [call(calc('"{\\"expression')), call(rest('\\":\\"2+3\\"}"'))],
      one,
    ],
    ['the name in every piece', [call(calc('{"expression"')), call(calc(':"2+3"}'))], one],
    ['another id in every piece', [call(calc('{"expression"')), call(rest(':"2+3"}', { id: 'a2' }))], one],
    [
      'the name and another id in every piece',
      [call(calc('{"expression"')), call(calc(':"2+3"}', { id: 'a2' }))],
      one,
    ],
    ['empty arguments', [call(calc(''))], [{}]],
    ['no arguments', [call(calc(undefined))], [{}]],
    ['null as arguments', [call(calc('null'))], [{}]],
    ['no id', [call(calc(text, { id: null }))], one],
    ['a number as id', [call(calc(text, { id: 7 }))], one],
    ['a call that is no list', [say(piece({ tool_calls: calc(text) }))], one],
    [
      'fields that lie flat',
      [call({ index: 0, id: 'a', name: 'calculator', arguments: { expression: '2+3' } })],
      one,
    ],
    [
      'function_call',
      [
        say(piece({ function_call: { name: 'calculator', arguments: '{"expression"' } })),
        say(piece({ function_call: { arguments: ':"2+3"}' } })),
      ],
      one,
    ],
    [
      'a tail of another number',
      [call(calc(text)), call(calc('', { id: 'b' })), call(rest('{"expression":"1"}', { index: 1 }))],
      [...one, { expression: '1' }],
    ],
  ])('given %s', async (_, pieces, inputs) => {
    const { calls, outcome } = await reply(() => sse(...pieces, ends, say('[DONE]')))
    expect(calls).toEqual(inputs)
    expect(outcome.status).toBe('completed')
  })

  it.each([
    ['stop', 'stop'],
    ['nothing', null],
    ['function_call', 'function_call'],
    ['a word of its own', 'tools'],
  ])('given a call that ends with %s, then the tool runs and the reply goes on', async (_, reason) => {
    const {
      calls,
      text: said,
      requests,
    } = await reply(
      (_request, index) =>
        index > 0 ? sse(whole) : sse(call(calc(text)), say(piece({}, reason)), say('[DONE]')),
      'openai-compatible',
      3,
    )
    expect({ calls, said, asked: requests.length }).toEqual({ calls: one, said: 'All is well.', asked: 2 })
  })

  it.each<[string, ProviderAnswer, Maker]>([
    [
      'Anthropic, as a whole',
      anthropic([
        message[0],
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 't', name: 'calculator', input: { expression: '2+3' } },
        },
        message[3],
        ...message.slice(4),
      ]),
      'anthropic',
    ],
    [
      'Anthropic, as an object in a piece',
      anthropic([
        message[0],
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', name: 'calculator', input: null },
        },
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: { expression: '2+3' } },
        },
        message[3],
        ...message.slice(4),
      ]),
      'anthropic',
    ],
    [
      'OpenAI, as an object',
      anthropic([
        response[0],
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', call_id: 'c', name: 'calculator' },
        },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { type: 'function_call', call_id: 'c', name: 'calculator', arguments: { expression: '2+3' } },
        },
        response[4],
      ]),
      'openai',
    ],
    [
      'Google, as a text',
      sse(say(google([{ functionCall: { name: 'calculator', args: text } }], { finishReason: 'STOP' }))),
      'google',
    ],
  ])('given %s', async (_, answer, maker) => {
    const { calls } = await reply(() => answer, maker)
    expect(calls).toEqual(one)
  })

  it('given arguments that are no JSON, then the person reads words, and no name of a class', async () => {
    const { outcome } = await reply(
      (_request, index) =>
        index > 0 ? sse(whole) : sse(call(calc('{"expression": 2+')), ends, say('[DONE]')),
      'openai-compatible',
      2,
    )
    expect(outcome.status).toBe('completed')
    expect(JSON.stringify(outcome.message)).not.toMatch(/AI_|Error:/)
  })

  it('given a tool that does not exist, then no name of a class is read', async () => {
    const { outcome } = await reply(() =>
      sse(call({ ...calc(text), function: { name: 'oracle', arguments: text } }), ends, say('[DONE]')),
    )
    expect(JSON.stringify(outcome.message)).not.toMatch(/AI_|Error:/)
  })
})
