import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SearchPage } from '@/lib/graph'
import type { Services } from '@/lib/runtime'
import { handleAuth } from '@/lib/server/api/access'
import { search } from '@/lib/server/api/chats'
import { plantChat } from '@/testing/page/plant-chat'
import { requestHeaders } from '@/testing/worlds/framework'
import { asProcess, Browser } from '@/testing/worlds/identity-world'
import { databaseEnv, onOneDatabase } from '@/testing/worlds/open-stores'

const asked = requestHeaders()

onOneDatabase('the search over HTTP', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await asProcess({
      ...database.env,
      RAMIFY_RATE_LIMIT: 'off',
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
  })
  afterAll(async () => {
    await services?.database.close()
    await database?.remove()
  })

  const find = async (query: string, cookie = '') => {
    asked.headers = new Headers({ cookie })
    const request = new Request(`http://localhost:3000/api/search?${query}`, { headers: { cookie } })
    return search.handle(request, { params: Promise.resolve({}) })
  }

  /** A guest who has said something; what they find, and their chat. */
  const person = async (...says: string[]) => {
    const browser = new Browser(handleAuth, 'http://localhost:3000')
    const { id } = (await browser.post('sign-in/anonymous')).body.user as { id: string }
    const chatId = await plantChat(services.ports, id, { branches: [{ name: 'main', says }] })
    return { chatId, find: (query: string) => find(query, browser.cookie) }
  }

  it('finds a person’s own messages by words and filters, their text as HTML that holds no tag but the mark', async () => {
    const said = 'a <b>kingfisher</b> & more'
    const { chatId, find } = await person(said, 'A kingfisher it is.', 'Another kingfisher?')
    const other = await person('Hello')
    const found: SearchPage = await (await find(`q=kingf&chat=${chatId}&role=user&limit=1`)).json()
    expect(found).toMatchObject({
      ...{ more: true, partial: false },
      hits: [{ chatId, role: 'user', branch: { name: 'main' } }],
    })
    const rest: SearchPage = await (await find(`q=kingf&role=user&offset=1`)).json()
    expect(rest).toMatchObject({ more: false, hits: [{ role: 'user' }] })
    expect([...found.hits, ...rest.hits].map(({ snippet }) => snippet).sort()).toEqual([
      'Another <mark>kingfisher</mark>?',
      'a &lt;b&gt;<mark>kingfisher</mark>&lt;/b&gt; &amp; more',
    ])
    expect(await (await other.find('q=kingfisher')).json()).toMatchObject({ hits: [] })
  })

  it('refuses what is no query, and a foreign chat as a missing one', async () => {
    expect((await find('q=x')).status).toBe(401)
    const { chatId } = await person('Hello')
    const other = await person('Hello')
    for (const [query, status] of [
      ['q=', 200],
      ['q=%25', 200],
      ['q=%27%3A*%20%26', 200],
      ['', 400],
      ['q=%00', 400],
      [`q=${'x'.repeat(501)}`, 400],
      ['q=x&role=system', 400],
      ['q=x&limit=0', 400],
      ['q=x&limit=101', 400],
      ['q=x&limit=ten', 400],
      ['q=x&offset=-1', 400],
      ['q=x&chat=nowhere', 404],
      ['q=x&chat=%00', 404],
    ] as const) {
      const response = await other.find(query)
      expect(response.status, query.slice(0, 40)).toBe(status)
      if (status !== 200) expect(response.headers.get('content-type')).toContain('application/problem+json')
    }
    const [foreign, missing] = await Promise.all(
      [chatId, 'nowhere'].map(async (chat) => (await other.find(`q=x&chat=${chat}`)).text()),
    )
    expect(foreign).toBe(missing)
  })
})
