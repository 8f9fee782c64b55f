import type { LanguageModelV4 } from '@ai-sdk/provider'
import { tool, type UIMessage } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { chatStream, messagesStream, responsesStream } from '@/testing/fixtures/provider-replies'
import { type ProviderRequest, startProvider } from '@/testing/machines/provider-server'
import { createModels } from './registry'
import { streamReply } from './stream-reply'

let server: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  const given = { text: 'Noted.' }
  server = await startProvider(({ path }) => {
    if (path.endsWith('/messages')) return { pieces: messagesStream(given) }
    return { pieces: path.endsWith('/chat/completions') ? chatStream(given) : responsesStream(given) }
  })
})
afterAll(() => server.close())

const said = (role: 'user' | 'assistant', ...parts: UIMessage['parts']): UIMessage => ({
  id: `${role}-${parts.length}`,
  role,
  parts,
})
const words = (text: string) => ({ type: 'text', text }) as const
const chain = [said('user', words('One?')), said('assistant', words('One.')), said('user', words('Two?'))]

async function bodyOf(
  model: string | LanguageModelV4,
  asked: Partial<Parameters<typeof streamReply>[0]>,
): Promise<ProviderRequest['body']> {
  const models = createModels({
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: server.url,
  })
  const { done } = streamReply({
    model: typeof model === 'string' ? models.get(model) : model,
    messages: chain,
    replyId: 'r',
    cacheKey: 'c1',
    ...asked,
  })
  expect(await done).toMatchObject({ status: 'completed' })
  return server.requests.at(-1)?.body
}

/** The texts that end with a mark. */
const marked = (body: ProviderRequest['body']): string[] =>
  [
    ...(body.tools ?? []),
    ...(body.system ?? []),
    ...body.messages.flatMap(({ content }: { content: object[] }) => content),
  ]
    .filter((block) => block.cache_control)
    .map((block) => block.text ?? block.name)

const CLAUDE = 'anthropic:claude-sonnet-5-5'
const tools = { look: tool({ inputSchema: z.object({}), execute: () => 'seen' }) }

it.each([
  [
    'instructions, then they, the stable prefix and the end are marked',
    { instructions: 'Be brief.', tools },
    ['Be brief.', 'One.', 'Two?'],
  ],
  ['tools without instructions, then the last tool', { tools }, ['look', 'One.', 'Two?']],
  ['one question, then it alone', { messages: chain.slice(0, 1) }, ['One?']],
  [
    'a branch point, then it is marked too',
    {
      messages: [said('user', words('Zero?')), said('assistant', words('Zero.'), words('')), ...chain],
      branchPoint: async () => 'user-1',
    },
    ['Zero?', 'One.', 'Two?'],
  ],
])('given %s', async (_, asked, texts) => {
  expect(marked(await bodyOf(CLAUDE, asked))).toEqual(texts)
})

it.each([
  ['Anthropic’s model', 'anthropic/claude-sonnet-5.5', ['Be brief.', 'One.', 'Two?']],
  ['another model', 'openai/gpt-6-luna', []],
])(
  'given %s behind OpenRouter, then its blocks are marked where they are Anthropic’s',
  async (_, name, texts) => {
    const found = { name, label: name, price: null }
    const key = {
      provider: 'openrouter',
      baseUrl: server.url,
      models: [found],
      silenceMs: null,
      isReadable: true,
      open: () => 'sk-test',
    } as const
    const models = createModels({}, { ownFetch: fetch }).with({ keys: [key] })
    const body = await bodyOf(models.get(`openrouter:${name}`), { instructions: 'Be brief.' })
    expect(marked(body)).toEqual(texts)
    expect(body.messages.some((message: object) => 'cache_control' in message)).toBe(false)
  },
)

it('given OpenAI, then its requests carry the conversation as the key of its cache, and no marks', async () => {
  const body = await bodyOf('openai:gpt-5.5', { instructions: 'Be brief.' })
  expect(body.prompt_cache_key).toBe('c1')
  expect(JSON.stringify(body)).not.toContain('cache_control')
})
