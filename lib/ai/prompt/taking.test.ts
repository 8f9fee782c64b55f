import {
  APICallError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { convertArrayToReadableStream, convertReadableStreamToArray, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { taking } from './taking'

const refusal = (message: string, statusCode = 400) =>
  new APICallError({ message, statusCode, url: 'http://x', requestBodyValues: {}, isRetryable: false })

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
}

/** A model that refuses prompts, and what it was asked with. */
function server(name: string, refuses: (options: LanguageModelV4CallOptions) => string | undefined) {
  const asked: LanguageModelV4CallOptions[] = []
  const model = new MockLanguageModelV4({
    doStream: async (options) => {
      asked.push(options)
      const said = refuses(options)
      if (said !== undefined) throw refusal(said)
      return { stream: convertArrayToReadableStream([finish]) }
    },
  })
  return { asked, model: taking(model, { provider: 'openai-compatible', model: name }) }
}

const prompt: LanguageModelV4CallOptions['prompt'] = [
  { role: 'system', content: 'Be kind' },
  { role: 'user', content: [{ type: 'text', text: 'one' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call-1',
        toolName: 'weather',
        output: { type: 'text', value: 'Rain' },
      },
    ],
  },
]
const roles = ({ prompt: messages }: LanguageModelV4CallOptions) => messages.map(({ role }) => role)

describe('a model that refuses a prompt for its form', () => {
  it.each([
    ['System role not supported'],
    ['Only user and assistant roles are supported!'],
    ['Only user, assistant and tool roles are supported, got system.'],
    ['Developer instruction is not enabled for models/some-it'],
    ['Conversation roles must alternate user/assistant/user/assistant/...'],
  ])('given “%s”, then the instructions stand in the first question, and so the next time', async (words) => {
    const { asked, model } = server(`no system ${words}`, (options) =>
      roles(options).includes('system') ? words : undefined,
    )
    await model.doStream({ prompt })
    await model.doStream({ prompt })
    expect(asked.map((options) => roles(options)[0])).toEqual(['system', 'user', 'user'])
  })

  it.each([
    ['The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'],
  ])('given “%s”, then thoughts are sent with calls', async (words) => {
    const { asked, model } = server(`wants thoughts ${words}`, (options) =>
      JSON.stringify(options.prompt).includes('Hm.') ? undefined : words,
    )
    await model.doStream({ prompt })
    expect(asked).toHaveLength(2)
  })

  it('given a model that is known to want thoughts and refuses them, then they are left out', async () => {
    const words = "'messages.2': property 'reasoning_content' is unsupported"
    const { asked, model } = server('deepseek-old', (options) =>
      JSON.stringify(options.prompt).includes('Hm.') ? words : undefined,
    )
    await model.doStream({ prompt })
    expect(asked).toHaveLength(2)
  })

  it('given ids of calls that it does not take, then they are made of nine letters and digits', async () => {
    const { asked, model } = server('strict ids', (options) =>
      JSON.stringify(options.prompt).includes('call-1')
        ? 'Tool call id was call-1 but must be a-z, A-Z, 0-9, with a length of 9.'
        : undefined,
    )
    await model.doStream({ prompt })
    expect(asked).toHaveLength(2)
  })

  it.each(['Invalid API key', 'System role not supported'])(
    'given “%s” again and again, then the refusal is passed on',
    async (words) => {
      const { asked, model } = server(`refuses ${words}`, () => words)
      await expect(model.doStream({ prompt })).rejects.toThrow(words)
      expect(asked.length).toBeLessThan(3)
    },
  )
})

it('given a tool with a name that is not taken, then it is sent under another and called by its own', async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const model = taking(
    new MockLanguageModelV4({
      doStream: async (options) => {
        asked.push(options)
        const toolName = options.tools?.[0]?.name ?? ''
        return {
          stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([
            { type: 'tool-input-start', id: '1', toolName },
            { type: 'tool-call', toolCallId: '1', toolName, input: '{}' },
            finish,
          ]),
        }
      },
    }),
    { provider: 'google', model: 'any' },
  )
  const { stream } = await model.doStream({
    prompt,
    tools: [{ type: 'function', name: '1st.tool', inputSchema: {} }],
    toolChoice: { type: 'tool', toolName: '1st.tool' },
  })
  const [begun, called] = await convertReadableStreamToArray(stream)
  expect([begun, called]).toMatchObject([{ toolName: '1st.tool' }, { toolName: '1st.tool' }])
  const [{ tools, toolChoice } = {}] = asked
  expect(tools?.[0]?.name).toMatch(/^_1st_tool_[0-9a-f]{8}$/)
  expect(toolChoice).toMatchObject({ toolName: tools?.[0]?.name })
})

it('given OpenAI, then what is said stays in the prompt and is not kept there', async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const model = new MockLanguageModelV4({
    doStream: async (options) => {
      asked.push(options)
      return { stream: convertArrayToReadableStream([finish]) }
    },
  })
  await taking(model, { provider: 'openai', model: 'any' }).doStream({ prompt })
  expect(asked[0]?.providerOptions).toEqual({ openai: { store: false } })
})
