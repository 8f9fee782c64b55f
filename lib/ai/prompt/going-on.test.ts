import { APICallError, type LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { sentPrompt } from '../model-prompt'
import { goOn } from './go-on'
import { learnFrom, type Receiver, takesOf } from './takes'
import { cutMark, wellFormed } from './well-formed'

const receiver = (provider: string, model: string, address?: string): Receiver => ({
  provider,
  model,
  address,
})
const question: UIMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'Where to?' }] }
const cut = (...parts: UIMessage['parts']): UIMessage => ({
  id: 'cut',
  role: 'assistant',
  parts,
  metadata: { model: 'this' },
})
const words: UIMessage['parts'][number] = { type: 'text', text: 'Three days in Lis' }

/** Writes the prompt with which a model goes on with a reply. */
const sent = (to: Receiver, reply: UIMessage) =>
  sentPrompt({ modelId: 'this', messages: [question, reply], continues: true }, to)

const said = async (to: Receiver, reply = cut(words)) =>
  (await sent(to, reply)).messages.map(({ role, content, providerOptions }) => ({
    role,
    text: (content as { text?: string }[]).map(({ text = '' }) => text).join('|'),
    ...(providerOptions && { providerOptions }),
  }))

const asked = { role: 'user', text: 'Where to?' }
const begun = { role: 'assistant', text: 'Three days in Lis' }
const asPrefill = [asked, begun]
const asRequest = [asked, begun, { role: 'user', text: goOn }]
const flagged = (flag: string) => [
  asked,
  { ...begun, providerOptions: { openaiCompatible: { [flag]: true } } },
]

describe('a cut reply that a model goes on with', () => {
  it.each([
    ['anthropic', 'claude-3-7-sonnet-latest'],
    ['anthropic', 'claude-opus-4-20250514'],
    ['anthropic', 'claude-opus-4-1'],
    ['anthropic', 'claude-haiku-4-5-20251001'],
    ['openrouter', 'anthropic/claude-sonnet-4.5'],
    ['google', 'gemini-2.5-pro'],
    ['google', 'gemini-3.1-pro-preview'],
    ['google', 'gemini-3.5-flash'],
    ['groq', 'llama-3.3-70b-versatile'],
    ['ollama', 'llama3.1'],
  ])('given %s and %s, then it ends the prompt', async (provider, model) => {
    expect(await said(receiver(provider, model))).toEqual(asPrefill)
  })

  it.each([
    ['openai', 'gpt-5.5'],
    ['anthropic', 'claude-opus-4-6'],
    ['anthropic', 'claude-sonnet-5-5'],
    ['openrouter', 'anthropic/claude-sonnet-4.6'],
    ['openrouter', 'openai/gpt-5.5'],
    ['google', 'gemini-3.5-flash-lite'],
    ['google', 'gemini-3.6-flash'],
    ['groq', 'openai/gpt-oss-120b'],
    ['ollama', 'gpt-oss:20b'],
    ['lmstudio', 'qwen3'],
    ['openai-compatible', 'anything', 'http://127.0.0.1:8000/v1'],
  ])(
    'given %s and %s, then a request of the person’s follows it',
    async (provider, model, address?: string) => {
      expect(await said(receiver(provider, model, address))).toEqual(asRequest)
    },
  )

  it.each([
    ['https://api.mistral.ai/v1', 'mistral-large-latest', 'prefix'],
    ['https://api.deepseek.com/beta', 'deepseek-chat', 'prefix'],
    ['https://api.moonshot.ai/v1', 'kimi-k2', 'partial'],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'qwen-max', 'partial'],
  ])('given %s and %s, then a field of its message says so: %s', async (address, model, flag) => {
    expect(await said(receiver('openai-compatible', model, address))).toEqual(flagged(flag))
  })

  it('given DeepSeek without its beta, then a request follows it', async () => {
    const to = receiver('openai-compatible', 'deepseek-chat', 'https://api.deepseek.com/v1')
    expect(await said(to)).toEqual(asRequest)
  })

  it('given thoughts that are signed, then they go with a reply that ends the prompt, and not with an earlier one', async () => {
    const signature = { anthropic: { signature: 's' } }
    const reply = cut({ type: 'reasoning', text: 'Hm', providerMetadata: signature }, words)
    expect(await said(receiver('anthropic', 'claude-opus-4-1'), reply)).toEqual([
      asked,
      { role: 'assistant', text: 'Hm|Three days in Lis' },
    ])
    expect(await said(receiver('anthropic', 'claude-sonnet-5-5'), reply)).toEqual(asRequest)
  })

  it.each(['anthropic', 'openai'])(
    'given a reply to %s that ends with a finished call, then nothing is added',
    async (provider) => {
      const reply = cut({
        type: 'dynamic-tool',
        toolName: 'weather',
        toolCallId: '1',
        state: 'output-available',
        input: {},
        output: 'Rain',
      })
      const { messages } = await sent(receiver(provider, 'claude-opus-4-1'), reply)
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    },
  )

  it('given the demo model, then nothing is added', async () => {
    const { messages } = await sentPrompt({ messages: [question, cut(words)], continues: true }, undefined)
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Where to?' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Three days in Lis' }] },
    ])
  })

  it('given a chain that ends with a reply, then nothing is added', async () => {
    const { messages } = await sentPrompt({ messages: [question, cut(words)] }, receiver('openai', 'gpt-5.5'))
    expect(messages).toHaveLength(2)
  })
})

describe('a cut reply in the next step, after a tool', () => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'user', content: [{ type: 'text', text: 'Where to?' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Three days in Lis' }], providerOptions: cutMark },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'bon: ' },
        { type: 'tool-call', toolCallId: '1', toolName: 'weather', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: '1',
          toolName: 'weather',
          output: { type: 'text', value: 'Rain' },
        },
      ],
    },
  ]
  const form = (to: Receiver) =>
    wellFormed(prompt, takesOf(to)).map(({ message: { role, content } }) => [
      role,
      (content as { text?: string }[])[0]?.text,
    ])

  it('given a model that it ended the prompt of, then it is one reply with what the model has said since', () => {
    expect(form(receiver('ollama', 'llama3.1'))).toEqual([
      ['user', 'Where to?'],
      ['assistant', 'Three days in Lisbon: '],
      ['tool', undefined],
    ])
  })

  it('given another one, then the request stays where it was', () => {
    expect(form(receiver('openai-compatible', 'other'))).toEqual([
      ['user', 'Where to?'],
      ['assistant', 'Three days in Lis'],
      ['user', goOn],
      ['assistant', 'bon: '],
      ['tool', undefined],
    ])
  })
})

describe('a model that refuses a cut reply at the end', () => {
  it.each([
    [
      400,
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ],
    [400, 'Prefilling assistant messages is no longer supported'],
    [400, 'Requests ending with a model turn are not supported unless the last part is a function response.'],
    [400, 'Please ensure that multiturn requests ends with a user role or a function response'],
    [
      400,
      'Expected `thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block',
    ],
    [400, 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'],
    [500, 'Assistant response prefill is incompatible with enable_thinking.'],
    [422, 'Extra inputs are not permitted: messages.1.prefix'],
  ])('given %d and “%s”, then it is sent the request from then on', async (statusCode, message) => {
    const to = receiver('ollama', `refuses ${message}`)
    expect(await said(to)).toEqual(asPrefill)
    const error = new APICallError({ message, statusCode, url: 'http://x', requestBodyValues: {} })
    expect(learnFrom(to, error)).toBe(true)
    expect(await said(to)).toEqual(asRequest)
    expect(await said(receiver('ollama', 'another'))).toEqual(asPrefill)
  })
})
