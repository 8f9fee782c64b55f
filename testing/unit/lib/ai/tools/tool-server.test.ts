import { afterEach, expect, test } from 'vitest'
import { ownHostFetch } from '@/lib/ai/own-host-fetch'
import { publicFetch } from '@/lib/ai/public-fetch'
import { listTools } from '@/lib/ai/tools/tool-server'
import { type McpServer, startMcpServer } from '@/testing/machines/mcp-server'

let server: McpServer | undefined
afterEach(() => server?.close())

test('given an address inside, when public ones alone are reached, then the server is refused in words', async () => {
  server = await startMcpServer({ tools: [] })
  for (const url of [
    server.url,
    'https://127.0.0.1/mcp',
    'https://[::1]/mcp',
    'https://169.254.169.254/latest',
  ]) {
    const asked = listTools({ name: 'mine', url, token: undefined }, ownHostFetch(publicFetch))
    await expect(asked, url).rejects.toMatchObject({
      ...{ code: 'address_refused', message: 'This server reaches tools at public https addresses only.' },
    })
  }
})

test('given a server that is none of tools, or none at all, then that is said, and nothing of what it answered', async () => {
  const page: typeof fetch = async () =>
    new Response('<h1>secret</h1>', { headers: { 'content-type': 'text/html' } })
  const failing: typeof fetch = async () => new Response('secret', { status: 500 })
  const gone: typeof fetch = async () => {
    throw new TypeError('fetch failed')
  }
  const asked = { name: 'mine', url: 'https://tools.example.org/mcp', token: undefined }
  const refusals = [
    [page, 'server_answer', 'mine answered with something else than MCP over HTTP. Check the address.'],
    [failing, 'server_answer', 'mine answered with an error (500). Check the address.'],
    [gone, 'server_unreachable', 'mine could not be reached.'],
  ] as const
  for (const [fetch, code, message] of refusals)
    await expect(listTools(asked, fetch)).rejects.toMatchObject({ code, message })
})

test('given a tool with a name as title, then it is offered with its server before its name', async () => {
  server = await startMcpServer({ tools: [{ name: 'echo', description: 'Says it back', run: () => '' }] })
  const tools = await listTools({ name: 'mine', url: server.url, token: undefined }, ownHostFetch())
  expect(tools).toMatchObject([
    { name: 'mine__echo', called: 'echo', title: 'echo', description: 'Says it back' },
  ])
})
