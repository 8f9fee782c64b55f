import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { addToolServer, listToolServers, listTools, removeToolServer } from '@/lib/server/api/tools'
import { takeTurn } from '@/lib/server/api/turn'
import { type McpServer, startMcpServer } from '@/testing/machines/mcp-server'
import { type Caller, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const TOKEN = 'a-token-of-these-tests-1234'

onOneDatabase('the routes of tools', ({ name }) => {
  const api = useApi(name, { RAMIFY_PRIVATE_ADDRESSES: 'on' })
  const { lines } = api
  let mcp: McpServer

  beforeAll(async () => {
    mcp = await startMcpServer({ tools: [{ name: 'echo', run: () => '' }], token: TOKEN })
  })
  afterAll(() => mcp?.close())

  const toolsOf = ({ ask }: Caller) => ({
    tools: () => ask(listTools),
    servers: () => ask(listToolServers),
    add: (body: object) => ask(addToolServer, { body }),
    remove: (id: string) => ask(removeToolServer, { id }),
    say: (body: object) => ask(takeTurn, { body }),
  })
  /** A person in a browser, and the person's script. */
  const person = async () => {
    const ada = await api.person()
    return { id: ada.id, script: toolsOf(await ada.script()), ...toolsOf(ada) }
  }
  const mine = (more: object = {}) => ({ name: 'mine', url: mcp.url, token: TOKEN, ...more })

  it('given a server, when it is added, then its tools are listed, and its token is in no answer and no line', async () => {
    const ada = await person()
    const before = (await ada.script.tools()).body
    expect(before.tools.map((tool: { name: string }) => tool.name)).toEqual([
      ...['calculator', 'current_time', 'search_chats', 'remember', 'forget'],
    ])
    const added = await ada.add(mine())
    expect(added.status).toBe(201)
    const told = { name: 'mine', url: mcp.url, has_token: true, readable: true, tools: 1 }
    expect(added.body).toMatchObject(told)
    const { tools: _, ...stored } = added.body
    const listed = await ada.servers()
    expect(listed.body).toEqual({ servers: [stored] })
    const offered = await ada.tools()
    expect(offered.body.tools.at(-1)).toMatchObject({
      name: 'mine__echo',
      default_approval: 'ask',
      server: { id: stored.id, name: 'mine' },
    })
    expect(offered.body.servers).toEqual([{ id: stored.id, name: 'mine', url: mcp.url, status: 'ok' }])
    const removed = await ada.remove(stored.id)
    expect(removed.status).toBe(204)
    expect((await ada.tools()).body).toEqual(before)

    const said = [added, listed, offered, removed].map(({ text }) => text).join()
    expect(said + lines.join()).not.toContain('a-token-of')
    const ours = lines.filter((line) => line.includes(ada.id)).map((line) => JSON.parse(line).audit)
    expect(ours.slice(-2)).toEqual(['tool_server_added', 'tool_server_removed'])
  })

  it('given a server that cannot be had, then it is refused in words, and nothing is saved', async () => {
    const ada = await person()
    for (const [wrong, code, detail] of [
      [{ token: 'wrong' }, 'token_refused', 'mine refused the token. Check that it is complete and active.'],
      [{ url: 'http://127.0.0.1:9/mcp' }, 'server_unreachable', 'mine could not be reached.'],
    ] as const)
      expect((await ada.add(mine(wrong))).body).toMatchObject({ status: 422, code, detail })
    for (const wrong of [
      ...[{ name: 'has space' }, { name: '' }, { name: 'x'.repeat(33) }, { name: 'a__b' }, { more: 1 }],
      ...[{ url: 'ftp://x' }, { url: 'https://user:pass@x.org' }, { url: 'none' }, { token: 'a b' }],
    ])
      expect((await ada.add(mine(wrong))).status, JSON.stringify(wrong)).toBe(400)
    expect((await ada.servers()).body).toEqual({ servers: [] })
  })

  it('given a name that is taken, in any case, or twenty servers, then another is refused', async () => {
    const ada = await person()
    expect((await ada.add(mine())).status).toBe(201)
    const taken = { status: 409, code: 'name_taken', detail: 'A tool server of this name exists already' }
    expect((await ada.add(mine({ name: 'MINE' }))).body).toMatchObject(taken)
    await api.query(
      `insert into tool_servers (id, user_id, name, url) select id || n, user_id, name || n, url
      from tool_servers, generate_series(2, 19) n where user_id = $1`,
      ada.id,
    )
    expect((await ada.add(mine({ name: 'last' }))).status).toBe(201)
    expect((await ada.add(mine({ name: 'more' }))).body).toMatchObject({
      status: 422,
      code: 'too_many_servers',
    })
  })

  it('given another person’s server, an API key, or no server, then nothing is changed', async () => {
    const [ada, bob] = [await person(), await person()]
    const { id } = (await ada.add(mine())).body
    expect((await bob.remove(id)).status).toBe(404)
    expect((await ada.remove('none')).status).toBe(404)
    expect((await ada.script.remove(id)).status).toBe(403)
    expect((await ada.script.add(mine({ name: 'other' }))).status).toBe(403)
    expect((await bob.servers()).body.servers).toEqual([])
    expect((await ada.servers()).body.servers).toHaveLength(1)
  })

  it('given answers to a message in which no tool waits, then they are refused in words', async () => {
    const ada = await person()
    const answer = { id: newId(), trigger: 'answer-tools', messageId: newId(), answers: [] }
    expect((await ada.say(answer)).status).toBe(404)
    const wrong = await ada.say({ ...answer, answers: [{ approvalId: 'x' }] })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid' } })
  })
})
