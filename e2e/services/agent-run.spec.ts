import OpenAI from 'openai'
import { type OpenAIServer, type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import type { ChatPage } from '../support/chat-page'
import { signIn } from '../support/openings'
import { lookInAllWays } from '../support/screens'
import { expect, providerPort, test } from '../support/test'

// What a person sees of an agent's run, and how they move it: an agent of the official client calls through the gateway, and
// the page is open beside it.

type Said = OpenAI.ChatCompletionMessageParam

let provider: OpenAIServer | undefined
test.afterEach(() => provider?.close())

const tool = (name: string, ...fields: string[]): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    },
  },
})

const tools = [tool('run_tests', 'path'), tool('read_file', 'path'), tool('edit_file', 'path', 'text')]

const results: Readonly<Record<string, string>> = {
  run_tests: '2 tests failed\n\n  ✗ cart > sums prices\n    expected 30, received 3\n  ✗ cart > counts items',
  read_file: 'export const total = (items) => items.length\n',
  edit_file: 'ok',
}

/** An agent that mends a program: it asks, carries out what the model calls, and sends everything with every call. */
class Coder {
  constructor(
    private readonly client: OpenAI,
    public messages: Said[],
  ) {}

  /** One call; the answers of its tools are remembered, and go out with the next one. */
  async call(): Promise<{ chatId: string; branch: string; text: string }> {
    const asked = { model: 'scripted', messages: this.messages, tools }
    const { data, response } = await this.client.chat.completions.create(asked).withResponse()
    const message = data.choices[0]?.message
    if (!message) throw new Error('the reply is empty')
    this.messages.push(message)
    for (const called of message.tool_calls ?? []) {
      if (called.type !== 'function') continue
      const content = results[called.function.name] ?? ''
      this.messages.push({ role: 'tool', tool_call_id: called.id, content })
    }
    const [chatId = '', branch = ''] = ['chat', 'branch'].map(
      (name) => response.headers.get(`x-ramify-${name}`) ?? '',
    )
    return { chatId, branch, text: message.content ?? '' }
  }

  /** A sub-agent, or another attempt: it knows what this one has said. */
  fork(more: Said[] = [], upTo = this.messages.length): Coder {
    return new Coder(this.client, [...this.messages.slice(0, upTo), ...more])
  }
}

const call = (name: string, input: object) => ({ name, input })
const replies: ScriptedReply[] = [
  { text: 'I run the tests first.', toolCalls: [call('run_tests', { path: 'test' })] },
  {
    toolCalls: [call('read_file', { path: 'src/cart.js' }), call('read_file', { path: 'test/cart.test.js' })],
  },
  'The sum counts items. I will rewrite the whole module in TypeScript.',
]

const words = ({ content }: { content?: unknown }): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join(' ') : ''
}

/** Starts an agent of the person at the page, whose model answers by how much was said. */
async function startCoder(chat: ChatPage): Promise<Coder> {
  provider = await startOpenAIServer({
    port: providerPort(),
    answer({ messages }) {
      if (messages.some((each) => words(each).includes('This conversation was moved')))
        return 'I change one line: the sum adds prices.'
      const last = words(messages.at(-1) ?? {})
      if (last.startsWith('As a reviewer')) return 'The test is right, the module is wrong.'
      if (messages.at(-1)?.role === 'user' && messages.length > 2) return 'As you say.'
      return replies[messages.filter(({ role }) => role === 'assistant').length] ?? 'Done.'
    },
  })
  const { request } = chat.page
  await signIn(request)
  const made = await request.post('/api/keys', { data: { name: 'laptop' } })
  const { key } = (await made.json()) as { key: string }
  const baseURL = `${new URL(made.url()).origin}/v1`
  const client = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 })
  return new Coder(client, [
    { role: 'system', content: 'You mend programs.' },
    { role: 'user', content: 'The tests of the cart fail. Find out why, and mend it.' },
  ])
}

test('the run of an agent is read at a glance, and a person moves it', async ({ chat, page }) => {
  // given an agent with calls of tools, a sub-agent and a second attempt
  const coder = await startCoder(chat)
  await coder.call()
  await coder.call()
  const reviewer = { role: 'user', content: 'As a reviewer: who is right?' } as const
  await Promise.all([coder.fork([reviewer]).call(), coder.fork([reviewer]).call()])
  const { chatId, branch } = await coder.call()
  await chat.open(`/c/${chatId}?branch=${branch}`)
  // then its steps are one line of the thread, which opens: what was called, and what came of it
  await expect(chat.message('rewrite the whole module')).toBeVisible()
  const run = page.locator('[data-steps] > summary').filter({ hasText: '3 steps, 1 failed' })
  await lookInAllWays(page, 'agent-run-folded')
  await run.click()
  await expect(chat.message('I run the tests first.')).toContainText(/run_tests test\s*2 tests failed/)
  await expect(page.getByRole('article', { name: '2 reads' })).toContainText('cart.test.js')
  await lookInAllWays(page, 'agent-run')

  // when the person has it go on from an earlier message
  const wrong = chat.message('I run the tests first.')
  await wrong.focus()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Steer the agent here' })
  await expect(dialog).toContainText('OpenAI')
  await dialog.getByLabel('Tell it something first').fill('Change as little as you can.')
  await lookInAllWays(page, 'agent-steer')
  await dialog.getByRole('button', { name: 'Steer the agent' }).click()
  // then the page says where it goes on, and that it has not yet
  const note = page.getByRole('region', { name: 'Agent', exact: true })
  await expect(note).toContainText('goes on from here with its next call')
  await expect(chat.said('Change as little as you can.')).toBeVisible()
  await lookInAllWays(page, 'agent-steered')

  // when it calls
  coder.messages.push({ role: 'user', content: 'Go on.' })
  expect((await coder.call()).text).toBe('I change one line: the sum adds prices.')
  // then it went on there, and the page shows it without being asked
  await expect(chat.message('I change one line')).toBeVisible()
  await expect(note).toContainText('went on from here')
  const asked = provider?.requests.at(-1)?.messages ?? []
  // one turn with what is said about the move
  expect(asked.map(words).join()).toContain('Change as little as you can.')
  expect(asked.map(words).join()).not.toContain('rewrite the whole module')
  await lookInAllWays(page, 'agent-followed')
})

test('a person goes on where an agent stopped, steers it there, and takes that back', async ({
  chat,
  page,
}) => {
  const coder = await startCoder(chat)
  for (let step = 0; step < 2; step++) await coder.call()
  const { chatId } = await coder.call()
  await chat.open(`/c/${chatId}`)
  // when the person writes below the agent's last reply
  await chat.ask('No TypeScript, please')
  await expect(chat.lastReply()).toContainText('As you say.')
  // then the agent does not know of it, until it is steered there
  const note = page.getByRole('region', { name: 'Agent', exact: true })
  await expect(note).toContainText('does not know what follows its last call')
  await note.getByRole('button', { name: 'Steer it here' }).click()
  await expect(note).toContainText('goes on from here with its next call')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(note).toContainText('does not know what follows')
  await note.getByRole('button', { name: 'Steer it here' }).click()
  await expect(note).toContainText('goes on from here with its next call')
  coder.messages.push({ role: 'user', content: 'And now?' })
  await coder.call()
  await expect(chat.message('I change one line')).toBeVisible()
  const asked = provider?.requests.at(-1)?.messages ?? []
  expect(asked.map(words)).toContain('No TypeScript, please')
})
