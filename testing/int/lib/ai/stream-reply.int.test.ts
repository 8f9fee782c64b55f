import type { UIMessage, UIMessageChunk } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from '@/lib/ai/registry'
import { type StreamReplyOptions, streamReply } from '@/lib/ai/stream-reply'
import { freePort } from '@/testing/machines/free-port'
import {
  type ChatRequest,
  type OpenAIServer,
  type OpenAIServerOptions,
  openAIErrors,
  type ScriptedReply,
  startOpenAIServer,
  textOf,
} from '@/testing/machines/openai-server'

const servers: OpenAIServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(answer: OpenAIServerOptions['answer'], apiKey = 'key-for-tests') {
  const server = await startOpenAIServer({ ...(answer && { answer }), apiKey: 'key-for-tests' })
  servers.push(server)
  const models = createModels({
    OPENAI_COMPATIBLE_BASE_URL: server.url,
    OPENAI_COMPATIBLE_API_KEY: apiKey,
    OPENAI_COMPATIBLE_MODELS: 'test',
  })
  return { server, model: models.get('openai-compatible:test') }
}

const say = (role: 'user' | 'assistant', text: string): UIMessage => ({
  id: `${role}-${text}`,
  role,
  parts: [{ type: 'text', text }],
})

async function reply(
  answer: ScriptedReply | ((request: ChatRequest, index: number) => ScriptedReply),
  more: Partial<StreamReplyOptions> = {},
  apiKey?: string,
) {
  const { server, model } = await serve(typeof answer === 'function' ? answer : () => answer, apiKey)
  const { chunks, done } = streamReply({
    model,
    messages: [say('user', 'hi')],
    replyId: 'r1',
    maxRetries: 0,
    ...more,
  })
  const read: UIMessageChunk[] = []
  for await (const chunk of chunks) read.push(chunk)
  return { server, chunks: read, outcome: await done }
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ')
const messageText = (message: UIMessage) =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

describe('streamReply over HTTP', () => {
  it('given a whole reply, then it is completed with its tokens', async () => {
    const { server, chunks, outcome } = await reply(words(20), {
      instructions: 'Be brief.',
      messages: [say('user', 'one'), say('assistant', 'two'), say('user', 'three')],
    })
    expect(outcome).toMatchObject({
      status: 'completed',
      finishReason: 'stop',
      usage: { inputTokens: 5, outputTokens: 20 },
    })
    expect(messageText(outcome.message)).toBe(words(20))
    expect(chunks.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(10)
    expect(server.requests[0]?.messages.map((message) => [message.role, textOf(message)])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'one'],
      ['assistant', 'two'],
      ['user', 'three'],
    ])
  })

  it.each([
    ['429', openAIErrors.rateLimit(9), 'rate_limit', /9 s/],
    ['401', openAIErrors.badKey(), 'bad_key', /key/],
    ['a context error', openAIErrors.contextLength(), 'context_length', /earlier message/],
    ['500', openAIErrors.serverError(), 'overloaded', /try again/],
  ])(
    'given %s before the first byte, then it fails with the reason in words',
    async (_, error, kind, advice) => {
      const { chunks, outcome } = await reply({ error })
      expect(outcome).toMatchObject({
        status: 'failed',
        error: { kind, advice: expect.stringMatching(advice) },
      })
      expect(outcome.message.parts).toEqual([])
      expect(chunks.at(-1)?.type).toBe('error')
      expect(JSON.stringify([chunks, outcome.error])).not.toMatch(/sk-test|127\.0\.0\.1|key-for-tests/)
    },
  )

  it.each([
    ['one failure', 1, 'completed'],
    ['a model that always fails', 9, 'failed'],
  ])('given %s, then it is asked a second time, and that answer counts', async (_, failures, status) => {
    const error = { ...openAIErrors.rateLimit(), headers: { 'retry-after-ms': '5' } }
    const { server, model } = await serve((_, index) => (index < failures ? { error } : 'fine'))
    const outcome = await streamReply({ model, messages: [say('user', 'hi')], replyId: 'r1' }).done
    expect(outcome.status).toBe(status)
    expect(server.requests).toHaveLength(2)
  })

  it('given a provider that asks for more than a short pause, then it is not waited for, and the reader told', async () => {
    const { server, outcome } = await reply({ error: openAIErrors.rateLimit(20) })
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'rate_limit', retryAfterMs: 20_000 } })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ['cut', { cutAfter: 8 }],
    ['ended without a finish', { endAfter: 8 }],
    ['broken off by an error event', { errorEventAfter: 8 }],
  ])('given a connection %s at chunk 8, then 8 words are kept and it is failed', async (_, fault) => {
    const { chunks, outcome } = await reply({ text: words(20), ...fault })
    expect(outcome.status).toBe('failed')
    expect(outcome.error?.kind).toMatch(/network|overloaded/)
    expect(outcome.finishReason).toBeUndefined()
    expect(messageText(outcome.message)).toBe(words(8))
    expect(chunks.at(-1)?.type).toBe('error')
    expect(JSON.stringify(chunks)).not.toContain('127.0.0.1')
  })

  it('given an address without a server, then the error says so without naming it', async () => {
    const port = await freePort()
    const models = createModels({
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_COMPATIBLE_MODELS: 'test',
    })
    const { done } = streamReply({
      model: models.get('openai-compatible:test'),
      messages: [say('user', 'hi')],
      replyId: 'r1',
      maxRetries: 0,
    })
    const { status, error } = await done
    expect(status).toBe('failed')
    expect(error).toMatchObject({ kind: 'network', message: expect.stringContaining('nothing answers') })
    expect(JSON.stringify(error)).not.toContain(String(port))
  })
})
