import { afterEach, describe, expect, test } from 'vitest'
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
      code: 'address_refused',
      message: 'This server reaches tools at public https addresses only.',
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

describe('a list of tools', () => {
  const echo = { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }

  /** The tools of a server that answers `tools/list` so; `asked` has the cursor of each request. */
  async function listed(list: (cursor: string | undefined) => unknown) {
    const asked: (string | undefined)[] = []
    server = await startMcpServer({
      list({ cursor }) {
        asked.push(cursor)
        return list(cursor)
      },
    })
    const tools = await listTools({ name: 'mine', url: server.url, token: undefined }, ownHostFetch())
    return { tools, names: tools.map(({ called }) => called), asked }
  }

  test.each([
    ['a number for a name', { name: 5 }],
    ['no name', { inputSchema: { type: 'object' } }],
    ['an empty name', { name: ' ', inputSchema: { type: 'object' } }],
    ['half a letter in its name', { name: '\ud800', inputSchema: { type: 'object' } }],
    ['a name without end', { name: 'x'.repeat(2000), inputSchema: { type: 'object' } }],
    ['a schema without end', { name: 'long', inputSchema: { description: 'x'.repeat(60_000) } }],
    ['nothing at all', null],
    ['a text in place of a tool', 'echo'],
    ['a list in place of a tool', [echo]],
  ])('given a tool with %s, then the others are there', async (_what, tool) => {
    expect((await listed(() => ({ tools: [tool, echo, tool] }))).names).toEqual(['echo'])
  })

  test.each([
    ['no schema', {}],
    ['null for a schema', { inputSchema: null }],
    ['a text for a schema', { inputSchema: 'object' }],
    ['a list for a schema', { inputSchema: [] }],
    ['a schema without a type', { inputSchema: { properties: {} } }],
    ['a schema of another type', { inputSchema: { type: ['object', 'null'] } }],
    ['null for properties', { inputSchema: { type: 'object', properties: null } }],
    ['a list for properties', { inputSchema: { type: 'object', properties: [] } }],
  ])('given a tool with %s, then it takes an object', async (_what, fields) => {
    const { tools } = await listed(() => ({ tools: [{ name: 'now', ...fields }] }))
    expect(tools).toMatchObject([{ called: 'now', inputSchema: { type: 'object', properties: {} } }])
  })

  test('given a property without a schema and odd names for what is required, then those alone are put right', async () => {
    const inputSchema = {
      type: 'object',
      properties: { a: null, b: true, c: { type: 'string' } },
      required: [null, 'c'],
    }
    const { tools } = await listed(() => ({ tools: [{ name: 'now', inputSchema }] }))
    expect(tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { a: {}, b: true, c: { type: 'string' } },
      required: ['c'],
    })
  })

  test.each([
    { description: null },
    { description: 7 },
    { title: null },
    { title: { en: 'Echo' } },
    { annotations: null },
    { annotations: 'read-only' },
    { annotations: { title: 7, readOnlyHint: 'yes' } },
    { outputSchema: null },
    { outputSchema: { type: 'array' } },
    { _meta: null },
    { icons: 'none' },
  ])('given a tool with %j, then it is there without it', async (fields) => {
    const { tools } = await listed(() => ({ tools: [{ ...echo, ...fields }] }))
    expect(tools).toMatchObject([{ called: 'echo', title: 'echo', description: '' }])
  })

  test('given two tools of one name, then the first one counts', async () => {
    const tools = [
      { ...echo, description: 'first' },
      { ...echo, description: 'second' },
    ]
    expect((await listed(() => ({ tools }))).tools).toMatchObject([{ called: 'echo', description: 'first' }])
  })

  test('given a name that providers refuse, then the tool is offered under another and called by its own', async () => {
    const { tools } = await listed(() => ({ tools: [{ ...echo, name: 'файл/read it' }] }))
    expect(tools[0]?.called).toBe('файл/read it')
    expect(tools[0]?.name).toMatch(/^mine__[A-Za-z0-9_-]+$/)
  })

  test('given null for the list, then there are no tools', async () => {
    expect((await listed(() => ({ tools: null }))).names).toEqual([])
  })

  test('given an answer without a list, then that is said', async () => {
    await expect(listed(() => ({ items: [] }))).rejects.toMatchObject({ code: 'server_answer' })
  })

  const other = { ...echo, name: 'other' }
  test.each([
    ['2', '2'],
    ['an empty text', ''],
    ['0', '0'],
    ['null in writing', 'null'],
  ])('given a cursor that is %s, then the page that it names is read', async (_what, next) => {
    const { names, asked } = await listed((cursor) =>
      cursor === next ? { tools: [other] } : { tools: [echo], nextCursor: next },
    )
    expect([names, asked]).toEqual([
      ['echo', 'other'],
      [undefined, next],
    ])
  })

  test.each([
    ['stays the same', () => 'same', 2],
    ['stays empty', () => '', 2],
    ['goes in a circle', (cursor: string | undefined) => (cursor === 'a' ? 'b' : 'a'), 2],
    ['is always another one', (cursor: string | undefined) => `${cursor ?? ''}x`, 2],
    ['is null', () => null, 1],
    ['is a number', () => 2, 1],
  ])('given a cursor that %s, then the list ends and each tool is there once', async (_what, next, pages) => {
    const { names, asked } = await listed((cursor) => ({ tools: [echo, other], nextCursor: next(cursor) }))
    expect(names).toEqual(['echo', 'other'])
    expect(asked).toHaveLength(pages)
  })

  test('given pages without tools and no end, then the list ends all the same', async () => {
    const { names, asked } = await listed((cursor) => ({ tools: [], nextCursor: `${cursor ?? ''}x` }))
    expect(names).toEqual([])
    expect(asked).toHaveLength(100)
  })

  test('given a server that refuses its own cursor, then what was listed before counts', async () => {
    const { names } = await listed((cursor) => {
      if (cursor === '') throw new Error('Invalid cursor')
      return { tools: [echo], nextCursor: '' }
    })
    expect(names).toEqual(['echo'])
  })

  test('given a server that refuses the list, then that is said', async () => {
    const refused = listed(() => {
      throw new Error('secret')
    })
    await expect(refused).rejects.toMatchObject({ code: 'server_answer' })
  })

  test('given more tools than are kept, then the first thousand are', async () => {
    const page = (from: number) =>
      Array.from({ length: 400 }, (_, at) => ({ ...echo, name: `t${from + at}` }))
    const { names } = await listed((cursor) => ({
      tools: page(Number(cursor ?? 0)),
      nextCursor: String(Number(cursor ?? 0) + 400),
    }))
    expect(names).toHaveLength(1000)
  })

  test('given tools that say very much, then no more than eight million characters are kept', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(49_000) }
    const tools = Array.from({ length: 300 }, (_, at) => ({ name: `t${at}`, inputSchema }))
    const { tools: kept } = await listed(() => ({ tools }))
    expect(JSON.stringify(kept).length).toBeLessThan(8_100_000)
    expect(kept.length).toBeGreaterThan(100)
  })
})
