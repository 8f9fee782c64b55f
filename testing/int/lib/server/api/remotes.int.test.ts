import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRemote, listRemotes, removeRemote } from '@/lib/server/api/remotes/remotes'
import { close, listen } from '@/testing/machines/listen'
import { type Caller, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const KEY = 'rk_a-key-of-these-tests-1234'

/** The other server's words about itself; each test gives its own. */
type About = (response: ServerResponse, key: string | undefined) => void

const json = (status: number, body: object, type = 'application/json'): About => {
  return (response) => void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
}
const refusal = (status: number, code: string, detail: string) =>
  json(status, { type: 'about:blank', title: code, status, detail, code }, 'application/problem+json')
const ramify = { server: 'ramify', exchange: 1, writes: true }
const works: About = (response, key) =>
  (key === `Bearer ${KEY}` ? json(200, ramify) : refusal(401, 'unauthenticated', 'No.'))(response, key)

onOneDatabase('the routes of remotes', ({ name }) => {
  const api = useApi(name, { RAMIFY_PRIVATE_ADDRESSES: 'on' })
  const { lines } = api
  let about: About = works
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    about(response, request.headers.authorization)
  })
  let url: string

  beforeAll(async () => {
    url = `http://127.0.0.1:${await listen(server)}`
  })
  afterAll(() => close(server))

  const remotesOf = ({ ask }: Caller) => ({
    list: () => ask(listRemotes),
    add: (body: object) => ask(addRemote, { body }),
    remove: (remote: string) => ask(removeRemote, { id: remote }),
  })
  const person = async () => {
    const ada = await api.person()
    return { id: ada.id, asScript: async () => remotesOf(await ada.script()), ...remotesOf(ada) }
  }
  const work = (more: object = {}) => ({ name: 'work', url, key: KEY, ...more })
  const given = (next: About) => {
    about = next
  }

  it('given a Ramify server that takes the key, when it is added, then it is listed, and its key is in no answer and no line', async () => {
    given(works)
    const ada = await person()
    const added = await ada.add(work({ url: `${url}/` }))
    expect(added.body).toMatchObject({ name: 'work', url, has_key: true, readable: true, writes: true })
    const { writes: _, ...stored } = added.body
    const listed = await ada.list()
    expect(listed.body).toEqual({ remotes: [stored] })
    const sealed = await api.query<{ sealed: string }>(
      'select sealed from remotes where user_id = $1',
      ada.id,
    )
    expect(sealed[0]?.sealed).toMatch(/^v1\./)
    const removed = await ada.remove('Work')
    expect(removed.status).toBe(204)
    expect((await ada.list()).body).toEqual({ remotes: [] })

    const said = [added, listed, removed].map(({ text }) => text).join()
    expect(said + lines.join()).not.toContain('a-key-of')
    const ours = lines.filter((line) => line.includes(ada.id)).map((line) => JSON.parse(line).audit)
    expect(ours.slice(-2)).toEqual(['remote_added', 'remote_removed'])
  })

  it.each<[string, About, string, RegExp]>([
    ['another program', json(200, { hello: 'world' }), 'remote_answer', /does not answer as Ramify does/],
    ['a page', json(502, {}, 'text/html'), 'remote_answer', /answered with an error \(502\)/],
    ['an older Ramify', refusal(404, 'not_found', 'Not found'), 'remote_older', /^work is an older Ramify/],
    ['a newer Ramify', json(200, { ...ramify, exchange: 99 }), 'remote_newer', /^work is a newer Ramify/],
    [
      'one that refuses the key',
      refusal(401, 'unauthenticated', 'No.'),
      'key_refused',
      /^work refused the key/,
    ],
    [
      'one that is busy',
      refusal(503, 'busy', 'Many searches are waiting.'),
      'remote_refused',
      /^work says: Many searches are waiting\.$/,
    ],
    [
      'one that sends elsewhere',
      (response) => void response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end(),
      'remote_unreachable',
      /redirects to another address/,
    ],
    [
      'one whose answer has no end',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const write = (): unknown => !response.destroyed && response.write(' '.repeat(1_000_000), write)
        write()
      },
      'remote_answer',
      /longer answer than Ramify/,
    ],
  ])('given %s, then it is refused in words, and nothing is saved', async (_, answer, code, words) => {
    given(answer)
    const ada = await person()
    const refused = await ada.add(work())
    expect(refused.body).toMatchObject({ status: 422, code, detail: expect.stringMatching(words) })
    expect(refused.text).not.toContain('a-key-of')
    expect((await ada.list()).body).toEqual({ remotes: [] })
  })

  it('given an address where nothing listens, or none at all, then it is refused in words', async () => {
    const ada = await person()
    expect((await ada.add(work({ url: 'http://127.0.0.1:9' }))).body).toMatchObject({
      status: 422,
      code: 'remote_unreachable',
      detail: expect.stringContaining('work cannot be reached at http://127.0.0.1:9'),
    })
    for (const wrong of [
      ...[{ name: 'has space' }, { name: '' }, { name: 'x'.repeat(33) }, { name: 'a..b' }, { name: 'a/b' }],
      ...[{ name: 'a.lock' }, { more: 1 }, { url: 'ftp://x' }, { url: 'https://user:pass@x.org' }],
      ...[{ url: 'none' }, { url: 'https://x.org?a=b' }, { key: 'a b' }],
    ])
      expect((await ada.add(work(wrong))).status, JSON.stringify(wrong)).toBe(400)
  })

  it('given this server itself, by its address, another name of it, or one of its keys, then it is refused before it is asked', async () => {
    const ada = await api.person()
    const { add } = remotesOf(ada)
    const { key } = await ada.script()
    asked.length = 0
    for (const own of [{ url: 'http://localhost:3000' }, { url: 'http://127.0.0.1:3000/' }, { key }])
      expect((await add(work(own))).body, JSON.stringify(own)).toMatchObject({
        status: 422,
        code: 'remote_is_this',
      })
    expect(asked).toEqual([])
  })

  it('given a name that is taken, in any case, or twenty remotes, then another is refused', async () => {
    given(works)
    const ada = await person()
    expect((await ada.add(work())).status).toBe(201)
    expect((await ada.add(work({ name: 'WORK' }))).body).toMatchObject({ status: 409, code: 'name_taken' })
    await api.query(
      `insert into remotes (id, user_id, name, url) select id || n, user_id, name || n, url
      from remotes, generate_series(2, 19) n where user_id = $1`,
      ada.id,
    )
    expect((await ada.add(work({ name: 'last' }))).status).toBe(201)
    const most = { status: 422, code: 'too_many_remotes' }
    expect((await ada.add(work({ name: 'more' }))).body).toMatchObject(most)
  })

  it('given another person’s remote, then it is not found; a key of one’s own adds and removes', async () => {
    given(works)
    const [ada, bob] = [await person(), await person()]
    const script = await ada.asScript()
    expect((await script.add(work())).status).toBe(201)
    expect((await bob.list()).body).toEqual({ remotes: [] })
    expect((await bob.remove('work')).body).toMatchObject({ status: 404, detail: 'Remote not found' })
    expect((await script.remove('work')).status).toBe(204)
    expect((await ada.remove('work')).status).toBe(404)
  })
})

onOneDatabase('the routes of remotes, where only public addresses are reached', ({ name }) => {
  const api = useApi(name, { RAMIFY_PRIVATE_ADDRESSES: 'off' })

  it('given an address inside, or one that is not encrypted, then it is refused', async () => {
    const ada = await api.person()
    for (const inside of [
      'https://127.0.0.1',
      'https://10.0.0.1',
      'https://[::1]:8443',
      'http://example.org',
    ])
      expect((await ada.ask(addRemote, { body: { name: 'work', url: inside } })).body, inside).toMatchObject({
        status: 422,
        code: 'address_refused',
        detail: 'This server reaches other servers at public https addresses only.',
      })
  })
})
