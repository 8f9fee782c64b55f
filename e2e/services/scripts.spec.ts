import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { APIRequestContext } from '@playwright/test'
import { repoRoot } from '@/testing/runner/repo-root'
import { EventStream } from '@/testing/worlds/event-stream'
import { seedTurns, signIn } from '../support/openings'
import { expect, test } from '../support/test'

// Programs with a key of the person who has the page open, beside it: a script, an agent, the command line.

const keyOf = async (request: APIRequestContext): Promise<string> => {
  await signIn(request)
  const { key } = await (await request.post('/api/keys', { data: { name: 'program' } })).json()
  return key
}

test('a script begins a chat and follows its events; the page opens it like any other, and what is said there the script is told', async ({
  chat,
  page,
  request,
  baseURL,
}) => {
  // the script has no cookie, and comes from nowhere
  const authorization = `Bearer ${await keyOf(page.request)}`
  const command = async (name: string, data: object) => {
    const answer = await request.post(`/commands/${name}`, { data, headers: { authorization } })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  const { thread_id, chat_id } = await command('create-thread', { title: 'Made by a script' })
  const stream = await EventStream.open(`${baseURL}/threads/${thread_id}/events`, { authorization })
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  expect((await stream.next()).event).toBe('ThreadCreated')
  const turn = ['UserMessageAdded', 'LLMResponseGenerated', 'CheckpointCreated']
  const told = async () => (await stream.take(3)).map(({ event }) => event)

  await command('send-message', { thread_id, content: 'I am devansh' })
  expect(await told()).toEqual(turn)
  await chat.open(`/c/${chat_id}`)
  await expect(page).toHaveTitle(/Made by a script/)
  await chat.ask('what is my name')
  await expect(chat.lastReply()).toContainText(/devansh/i)
  expect(await told()).toEqual(turn)
  await stream.leave()

  // one without a title is called what the list calls it, by the server already
  const { chat_id: bare } = await command('create-thread', {})
  const answer = await page.request.get(`/c/${bare}`)
  expect(await answer.text()).toContain('<title>Untitled chat · Ramify</title>')
})

test('an agent works on a chat over MCP, and a person sees it in the browser', async ({ page, baseURL }) => {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const headers = { authorization: `Bearer ${await keyOf(page.request)}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  const told: string[] = []
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent, content } = (await client.callTool(
      { name, arguments: input },
      undefined,
      { onprogress: ({ message = '' }) => void told.push(message) },
    )) as CallToolResult
    expect(isError ?? false, JSON.stringify(content)).toBe(false)
    // biome-ignore lint/suspicious/noExplicitAny: each call knows its type
    return structuredContent as any
  }
  const { chat_id, reply, page_url } = await call('send_message', { text: 'Hello from an agent' })
  expect(told).not.toEqual([])
  const forked = await call('fork', { chat_id, message_id: reply.id, name: 'another way' })
  await call('send_message', { chat_id, branch: 'another way', text: 'And only here' })
  const sides = { chat_id, source: 'another way', target: 'main' }
  expect((await call('merge', { ...sides, brief: 'It went well.' })).merged).toBe(true)
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([`ramify://chats/${chat_id}`])
  await client.close()

  expect(new URL(page_url).origin).toBe(new URL(baseURL ?? '').origin)
  await page.goto(page_url)
  await expect(page.getByRole('article', { name: 'You' }).first()).toContainText('Hello from an agent')
  await expect(page.getByRole('article').filter({ hasText: 'It went well.' })).toBeVisible()
  await page.goto(forked.page_url)
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('And only here')
})

test('what is said and moved in a shell is seen on the page at once, and undone there', async ({
  chat,
  baseURL,
}, testInfo) => {
  // each command is a process of its own
  const chatId = await seedTurns(chat, ['I am devansh', 'what is 2+2'])
  const env = {
    ...process.env,
    RAMIFY_SERVER: baseURL,
    RAMIFY_API_KEY: await keyOf(chat.page.request),
    XDG_STATE_HOME: testInfo.outputPath('state'),
  }
  const ramify = async (...argv: string[]) => {
    const command = path.join(repoRoot, 'lib/cli/ramify.mjs')
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [command, ...argv], { env })
    expect(stderr.replace('Take it back with: ramify undo\n', ''), argv.join(' ')).toBe('')
    return stdout
  }
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(4)

  // a message from the shell
  await ramify('checkout', chatId)
  expect(await ramify('chat', 'what is 3+3')).toBe('3 + 3 = 6\n')
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.messages.last()).toContainText('3 + 3 = 6')

  // what the shell moves is the chat's: it opens there, and is taken back there
  await ramify('tag', 'met', 'HEAD~4')
  await ramify('checkout', '-b', 'again', 'main~2')
  await ramify('tag', '-d', 'met')
  await chat.open(`/c/${chatId}`)
  await expect(chat.messages).toHaveCount(4)
  expect(await ramify('undo')).toContain('Took back: removed checkpoint “met”')
  expect(JSON.parse(await ramify('tag', '--json'))).toMatchObject([{ name: 'met' }])
})
