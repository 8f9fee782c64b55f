import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expectAccessible, look, onEveryScreen, sidewaysScroll } from '../support/screens'
import { expect, test, watchErrors } from '../support/test'
import { ThreadApi } from '../support/thread-api'

// What an agent is set to, and what it then does.

test('an agent with a key works on a chat over MCP, and a person sees it in the browser', async ({
  page,
  baseURL,
}) => {
  const api = await new ThreadApi(page.request).signIn()
  const { key } = (await api.post('/api/keys', { name: 'agent' })).body as { key: string }
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const headers = { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${baseURL}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError, structuredContent, content } = (await client.callTool({
      name,
      arguments: input,
    })) as CallToolResult
    expect(isError ?? false, JSON.stringify(content)).toBe(false)
    // biome-ignore lint/suspicious/noExplicitAny: each call knows its type
    return structuredContent as any
  }
  const told: string[] = []
  const sent = (await client.callTool(
    { name: 'send_message', arguments: { text: 'Hello from an agent' } },
    undefined,
    { onprogress: ({ message = '' }) => void told.push(message) },
  )) as CallToolResult
  expect(told).not.toEqual([])
  const { chat_id, reply, page_url } = sent.structuredContent as {
    chat_id: string
    reply: { id: string }
    page_url: string
  }
  const forked = await call('fork', { chat_id, message_id: reply.id, name: 'another way' })
  await call('send_message', { chat_id, branch: 'another way', text: 'And only here' })
  const merged = await call('merge', {
    chat_id,
    source: 'another way',
    target: 'main',
    brief: 'It went well.',
  })
  expect(merged.merged).toBe(true)
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    `ramify://chats/${chat_id}`,
  ])
  await client.close()

  expect(new URL(page_url).origin).toBe(new URL(baseURL ?? '').origin)
  await page.goto(page_url)
  await expect(page.getByRole('article', { name: 'You' }).first()).toContainText('Hello from an agent')
  await expect(page.getByRole('article').filter({ hasText: 'It went well.' })).toBeVisible()
  await page.goto(forked.page_url)
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('And only here')
})

test('what is no request of a client is refused as the protocol says', async ({ request }) => {
  const none = await request.post('/mcp', { data: {} })
  expect(none.status()).toBe(401)
  expect(none.headers()['www-authenticate']).toMatch(/^Bearer realm="Ramify", resource_metadata="/)
  for (const refused of [await request.get('/mcp'), await request.delete('/mcp')]) {
    expect([refused.status(), refused.headers().allow]).toEqual([405, 'POST, OPTIONS'])
  }
  const foreign = await request.post('/mcp', {
    headers: { origin: 'https://evil.example', authorization: 'Bearer x' },
    data: {},
  })
  expect(foreign.status()).toBe(403)
})

onEveryScreen((screen) => {
  test('the page says what to set, with the address of this server, and axe finds nothing in it', async ({
    page,
    baseURL,
  }) => {
    const errors = watchErrors(page)
    await page.goto('/docs/api')
    await page.getByRole('link', { name: 'what to set' }).click()
    await expect(page.getByRole('heading', { name: 'Agents', level: 1 })).toBeVisible()
    const { origin } = new URL(baseURL ?? '')
    for (const [client, lines] of [
      ['OpenAI for Python', `base_url="${origin}/v1"`],
      ['Anthropic', `baseURL: '${origin}'`],
      ['aider', `OPENAI_API_BASE=${origin}/v1`],
      ['curl', `curl ${origin}/v1/chat/completions`],
    ] as const)
      await expect(page.getByRole('article', { name: client }).first()).toContainText(lines)
    await expect(page.getByRole('region', { name: 'Tools' })).toContainText('send_message')
    await look(page, 'agents', screen)
    await page.getByRole('heading', { name: 'MCP', level: 2 }).scrollIntoViewIfNeeded()
    await look(page, 'agents-mcp', screen)
    await expectAccessible(page, { strict: true })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(errors).toEqual([])
  })
})

test('lines are copied by the keyboard', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/agents')
  const button = page.getByRole('button', { name: 'Copy the lines for Claude Code', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    `export ANTHROPIC_BASE_URL=${new URL(baseURL ?? '').origin}`,
  )
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the page is whole, has no dead buttons, and its links lead where they say', async ({ page }) => {
    await page.goto('/docs/agents')
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.getByRole('navigation').getByRole('link', { name: 'aider' }).click()
    await expect(page.getByRole('heading', { name: 'aider' })).toBeInViewport()
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    for (const link of new Set(links))
      await expect(page.locator(`[id="${link?.slice(1)}"]`), `${link}`).toHaveCount(1)
  })
})
