import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { readUIMessageStream, tool, type UIMessage, type UIMessageChunk } from 'ai'
import { convertArrayToReadableStream, convertReadableStreamToArray, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { demoModel } from '@/lib/ai/demo-model'
import { PartTimer } from '@/lib/ai/reply/part-timer'
import { type StreamReplyOptions, streamReply } from '@/lib/ai/stream-reply'
import { finish, textParts } from './streamed'

const demo = demoModel({ delayMs: 0, faults: true })
const user = (text: string): UIMessage => ({ id: 'u1', role: 'user', parts: [{ type: 'text', text }] })

const saying = (...parts: Part[]): LanguageModelV4 =>
  new MockLanguageModelV4({ doStream: async () => ({ stream: convertArrayToReadableStream(parts) }) })

const stopAfter = (ms: number): AbortSignal => {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ms)
  return stop.signal
}

const begin = (text: string, more: Partial<StreamReplyOptions> = {}) =>
  streamReply({ model: demo, messages: [user(text)], replyId: 'r1', maxRetries: 0, ...more })

async function reply(model: LanguageModelV4, text: string, more: Partial<StreamReplyOptions> = {}) {
  const { chunks, done } = begin(text, { model, ...more })
  return { chunks: await convertReadableStreamToArray(chunks), outcome: await done }
}

const textOf = (message: UIMessage) =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
const chunkText = (chunks: UIMessageChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')

describe('a reply that completes', () => {
  it('given the demo model, then message, chunks, id, metadata and usage agree', async () => {
    const { chunks, outcome } = await reply(demo, 'count to 5', { metadata: { model: 'demo:demo' } })
    expect(outcome).toMatchObject({
      status: 'completed',
      finishReason: 'stop',
      usage: { outputTokens: 5 },
      message: { id: 'r1', role: 'assistant', metadata: { model: 'demo:demo' } },
    })
    expect(outcome.error).toBeUndefined()
    expect(textOf(outcome.message)).toBe('1 2 3 4 5')
    expect(chunkText(chunks)).toBe('1 2 3 4 5')
    expect(chunks[0]).toEqual({ type: 'start', messageId: 'r1', messageMetadata: { model: 'demo:demo' } })
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
    expect(JSON.stringify(outcome.message)).not.toContain('streaming')
  })

  it('given broken characters, one pair cut in two, when a client assembles the chunks, then it holds the stored message, with all but the pair replaced', async () => {
    const { chunks, outcome } = await reply(demo, 'count to 5 [demo:bad-text]')
    expect(textOf(outcome.message)).toBe('NUL \uFFFD lone \uFFFD pair \u{1F600} 1 2 3 4 5')
    for (const chunk of chunks) expect(JSON.stringify(chunk)).not.toMatch(/\\u0000|\\ud[89a-f]/)
    let assembled: UIMessage | undefined
    for await (const state of readUIMessageStream({ stream: convertArrayToReadableStream(chunks) }))
      assembled = state
    expect(assembled?.parts).toEqual(outcome.message.parts)
  })

  it('given half a pair of surrogates at the very end, then it is replaced', async () => {
    const { chunks, outcome } = await reply(saying(...textParts('end \ud83d'), finish), 'hi')
    expect(textOf(outcome.message)).toBe('end \uFFFD')
    expect(chunkText(chunks)).toBe('end \uFFFD')
  })

  it('given system messages in an imported chain, then they become instructions', async () => {
    const system: UIMessage = { ...user('You are a pirate.'), id: 's', role: 'system' }
    const messages = [system, user('who are you?')]
    const { outcome } = await reply(demo, '', { messages, instructions: '<hint>x</hint>' })
    expect(textOf(outcome.message)).toContain('You are a pirate.')
  })

  it('given no reader, then it completes all the same', async () => {
    const outcome = await begin('count to 2000').done
    expect(outcome.status).toBe('completed')
    expect(textOf(outcome.message).split(' ')).toHaveLength(2000)
  })

  it('given a reader that leaves at the third chunk, then it completes all the same', async () => {
    const { chunks, done } = begin('count to 20')
    const reader = chunks.getReader()
    for (let read = 0; read < 3; read += 1) await reader.read()
    await reader.cancel()
    expect(textOf((await done).message)).toMatch(/ 20$/)
  })

  it('given a reader that comes late, then it reads the whole text in few chunks', async () => {
    const { chunks, done } = begin('count to 500')
    const { message } = await done
    const read = await convertReadableStreamToArray(chunks)
    expect(chunkText(read)).toBe(textOf(message))
    expect(read.length).toBeLessThan(10)
  })

  it('given a tool, then it is called and the model goes on with its result', async () => {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{"a":"x\\u0000"}' } as const
    const steps = [
      [call, { ...finish, finishReason: { unified: 'tool-calls', raw: 'tool_calls' } } as const],
      [...textParts('done'), finish],
    ]
    const model = new MockLanguageModelV4({
      doStream: async () => ({ stream: convertArrayToReadableStream(steps.shift() ?? []) }),
    })
    const add = tool({
      inputSchema: z.object({ a: z.string() }),
      execute: async ({ a }) => ({ got: `${a}\ud800` }),
    })
    const { chunks, outcome } = await reply(model, 'add', { tools: { add }, maxSteps: 2 })
    expect(outcome.status).toBe('completed')
    const output = { got: 'x\uFFFD\uFFFD' }
    expect(outcome.message.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-add', state: 'output-available', output }),
    )
    expect(textOf(outcome.message)).toBe('done')
    expect(JSON.stringify(chunks)).not.toMatch(/\\u0000|\\ud800/)
  })
})

describe('a reply that fails', () => {
  it.each(['fail', 'end'])('given a stream that %ss after 8 words, then they are kept', async (how) => {
    const { chunks, outcome } = await reply(demo, `count to 20 [demo:${how}-after 8]`)
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'network', retryable: true } })
    expect(outcome.finishReason).toBeUndefined()
    expect([textOf(outcome.message), chunkText(chunks)]).toEqual(Array(2).fill('1 2 3 4 5 6 7 8'))
    expect(chunks.at(-1)?.type).toBe('error')
    expect(chunks.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1)
  })

  it.each(['rate-limit', 'context-length', 'bad-key', 'overloaded', 'network', 'refused'])(
    'given the provider answers %s, then the reason is told in words',
    async (phrase) => {
      const kind = phrase.replace('-', '_')
      const { chunks, outcome } = await reply(demo, `hi [demo:error ${phrase}]`)
      expect(outcome).toMatchObject({ status: 'failed', error: { kind }, message: { id: 'r1', parts: [] } })
      expect(chunks.at(-1)).toEqual({
        type: 'error',
        errorText: `${outcome.error?.message} ${outcome.error?.advice}`,
      })
      expect(JSON.stringify(chunks)).not.toContain('sk-demo')
    },
  )

  it.each([
    ['stop', 'unknown', ''],
    ['length', 'unknown', ''],
    ['content-filter', 'refused', ''],
    ['interrupted', undefined, 'some'],
    ['error', undefined, 'some'],
  ] as const)('given a finish with %s and too little text, then it failed', async (unified, kind, text) => {
    const said = textParts(...(text ? [text] : [' ', '\n']))
    const finished = { ...finish, finishReason: { unified, raw: text ? undefined : unified } }
    const { chunks, outcome } = await reply(saying(...said, finished), 'hi')
    expect(outcome).toMatchObject({ status: 'failed', ...(kind && { error: { kind } }) })
    expect(textOf(outcome.message).trim()).toBe(text)
    expect(chunks.at(-1)?.type).toBe('error')
  })

  it('given a delta outside any part, then its words are kept', async () => {
    const model = saying({ type: 'text-delta', id: '9', delta: 'orphan' }, finish)
    expect(textOf((await reply(model, 'hi')).outcome.message)).toBe('orphan')
  })

  it('given a stream that breaks inside a pair of surrogates, then the half is replaced and the part closed', async () => {
    const [start, half] = textParts('cut \ud83d')
    const model = saying(start ?? finish, half ?? finish, { type: 'error', error: 'boom' })
    const { chunks, outcome } = await reply(model, 'hi')
    expect(outcome.message.parts.at(-1)).toEqual({ type: 'text', text: 'cut \uFFFD', state: 'done' })
    expect(chunks.map(({ type }) => type).slice(-2)).toEqual(['text-end', 'error'])
  })

  it('given an error event after some text and then more text, then it fails once', async () => {
    const [start, one, ...rest] = textParts('one', 'two') as [Part, Part, Part, Part]
    const model = saying(start, one, { type: 'error', error: 'boom' }, ...rest, finish)
    const { chunks, outcome } = await reply(model, 'hi')
    expect(outcome.status).toBe('failed')
    expect(textOf(outcome.message)).toBe('one')
    expect(chunks.filter(({ type }) => type === 'error')).toHaveLength(1)
  })

  it('given a bug in the model, then neither message nor stack reaches the reader', async () => {
    const model = new MockLanguageModelV4({
      doStream: async () => {
        throw new TypeError('secret detail at /srv/app/x.ts')
      },
    })
    const { chunks, outcome } = await reply(model, 'hi')
    expect(outcome.error?.kind).toBe('unknown')
    expect(JSON.stringify([chunks, outcome.error, outcome.message])).not.toContain('secret')
    expect(outcome.cause).toBeInstanceOf(TypeError)
  })

  const million = 'x'.repeat(1_000_000)
  const tooLong = { status: 'failed', error: { message: expect.stringContaining('too long') } }

  it.each(['text', 'reasoning'] as const)(
    'given more than four million characters of %s, then it fails, and those are kept',
    async (kind) => {
      const deltas = ['begin', ...Array<string>(6).fill(million)]
      const parts = deltas.map((delta) => ({ type: `${kind}-delta`, id: '0', delta }) as const)
      const { outcome } = await reply(saying({ type: `${kind}-start`, id: '0' }, ...parts), 'hi')
      expect(outcome).toMatchObject(tooLong)
      const [kept] = outcome.message.parts.filter(({ type }) => type === kind)
      expect(kept).toMatchObject({ type: kind, state: 'done' })
      expect((kept as { text: string }).text).toHaveLength(4_000_000)
    },
  )

  it('given the arguments of a tool that never end, then it fails', async () => {
    const delta = { type: 'tool-input-delta', id: 'c1', delta: million } as const
    const start = { type: 'tool-input-start', id: 'c1', toolName: 'add' } as const
    const { outcome } = await reply(saying(start, ...Array(5).fill(delta), finish), 'hi')
    expect(outcome).toMatchObject(tooLong)
  })

  it('given a link the model cannot open, then it is not fetched from our network', async () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'http://127.0.0.1:9/x.png' } as const
    const link: UIMessage = { id: 'u1', role: 'user', parts: [file] }
    const { outcome } = await reply(saying(...textParts('x'), finish), '', { messages: [link] })
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'refused' } })
  })
})

describe('a reply that is stopped', () => {
  it('given a stop at word 8, then at least the words read are kept and nothing comes after', async () => {
    const stop = new AbortController()
    const { chunks, done } = begin('count to 200', { abortSignal: stop.signal })
    const read: UIMessageChunk[] = []
    for await (const chunk of chunks) {
      read.push(chunk)
      if (read.filter(({ type }) => type === 'text-delta').length === 8) stop.abort()
    }
    const outcome = await done
    const words = textOf(outcome.message).trim().split(' ')
    expect(outcome.status).toBe('stopped')
    expect(outcome.finishReason).toBeUndefined()
    expect(words.length).toBeGreaterThanOrEqual(8)
    expect(words.length).toBeLessThan(30)
    expect(chunkText(read)).toBe(textOf(outcome.message))
    expect(read.at(-1)?.type).toBe('abort')
    expect(JSON.stringify(outcome.message)).not.toContain('streaming')
  })

  it.each([0, 3])('given a model that hangs after %d words, then a stop ends it at once', async (words) => {
    const started = performance.now()
    const hanging = `count to 9 [demo:hang-after ${words}]`
    const { outcome } = await reply(demo, hanging, { abortSignal: stopAfter(50) })
    expect(outcome.status).toBe('stopped')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('given it was stopped before it began, then there is an empty message', async () => {
    const { outcome } = await reply(demo, 'hi', { abortSignal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ status: 'stopped', message: { id: 'r1', parts: [] } })
  })

  it('given a stop after the finish, then it stays completed', async () => {
    const stop = new AbortController()
    const { outcome } = await reply(demo, 'count to 3', { abortSignal: stop.signal })
    stop.abort()
    expect(outcome.status).toBe('completed')
  })

  it('given a tool that had not answered, when stopped, then no open call is stored', async () => {
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'slow', input: '{}' } as const
    const slow = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => undefined) })
    const abortSignal = stopAfter(50)
    const { outcome } = await reply(saying(call, finish), 'hi', { tools: { slow }, abortSignal })
    expect(outcome.status).toBe('stopped')
    expect(outcome.message.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-slow', state: 'output-error', errorText: expect.any(String) }),
    )
  })
})

describe('a reply with more than text', () => {
  it('given reasoning, tools, a file and sources, then all of it is in the message, with how long parts took', async () => {
    const metadata = { model: 'demo:demo' }
    const { outcome } = await reply(demo, 'Show me all parts of a reply', { metadata })
    expect(outcome.message.parts.map(({ type }) => type).join(' ')).toBe(
      'step-start reasoning dynamic-tool dynamic-tool file source-url source-url text',
    )
    expect(outcome.message.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
      { toolName: 'search', state: 'output-available', input: { query: 'opening hours' } },
      { toolName: 'weather', state: 'output-error', errorText: 'The weather service does not answer.' },
    ])
    const took = expect.any(Number)
    expect(outcome.message.metadata).toEqual({
      model: 'demo:demo',
      durations: { 'reasoning-0': took, 'call-1': took, 'call-2': took },
    })
  })

  it('given time that passes while the model thinks, then the reasoning has that time', () => {
    let now = 1000
    const timer = new PartTimer(() => now)
    timer.read({ type: 'reasoning-start', id: 'a' })
    now = 2500.4
    expect(timer.read({ type: 'reasoning-end', id: 'a' })).toEqual({ 'reasoning-0': 1500 })
    timer.read({ type: 'reasoning-start', id: 'a' })
    now = 2600
    // a second stretch under the same id has a time of its own
    expect(timer.read({ type: 'reasoning-end', id: 'a' })).toEqual({ 'reasoning-1': 100 })
    // a reply that goes on with a cut one has its stretches after those of the cut one
    const goesOn = new PartTimer(() => now, 2)
    goesOn.read({ type: 'reasoning-start', id: 'a' })
    expect(goesOn.read({ type: 'reasoning-end', id: 'a' })).toEqual({ 'reasoning-2': 0 })
    expect(timer.read({ type: 'reasoning-end', id: 'a' })).toBeUndefined()
  })
})
