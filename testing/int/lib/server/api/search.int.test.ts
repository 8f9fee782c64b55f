import { expect, it } from 'vitest'
import type { SearchHit } from '@/lib/graph'
import { search } from '@/lib/server/api/chats'
import { plantChat } from '@/testing/page/plant-chat'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

onOneDatabase('the search over HTTP', ({ name }) => {
  const api = useApi(name)

  /** A guest who has said something; what they find, and their chat. */
  const person = async (...says: string[]) => {
    const { id, ask } = await api.person()
    const chatId = await plantChat(api.services.ports, id, { branches: [{ name: 'main', says }] })
    return { chatId, find: (query: string) => ask(search, { query: `?${query}` }) }
  }

  it('finds a person’s own messages by words and filters, their text as HTML that holds no tag but the mark', async () => {
    const said = 'a <b>kingfisher</b> & more'
    const { chatId, find } = await person(said, 'A kingfisher it is.', 'Another kingfisher?')
    const other = await person('Hello')
    const { body: found } = await find(`q=kingf&chat=${chatId}&role=user&limit=1`)
    expect(found).toMatchObject({
      more: true,
      partial: false,
      hits: [{ chatId, role: 'user', branch: { name: 'main' } }],
    })
    const { body: rest } = await find('q=kingf&role=user&offset=1')
    expect(rest).toMatchObject({ more: false, hits: [{ role: 'user' }] })
    expect([...found.hits, ...rest.hits].map(({ snippet }: SearchHit) => snippet).sort()).toEqual([
      'Another <mark>kingfisher</mark>?',
      'a &lt;b&gt;<mark>kingfisher</mark>&lt;/b&gt; &amp; more',
    ])
    expect((await other.find('q=kingfisher')).body).toMatchObject({ hits: [] })
  })

  it('refuses what is no query, and a foreign chat as a missing one', async () => {
    expect((await api.ask(search, { query: '?q=x' })).status).toBe(401)
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
      const answer = await other.find(query)
      expect(answer.status, query.slice(0, 40)).toBe(status)
      if (status !== 200) expect(answer.type).toContain('application/problem+json')
    }
    const [foreign, missing] = await Promise.all(
      [chatId, 'nowhere'].map(async (chat) => (await other.find(`q=x&chat=${chat}`)).text),
    )
    expect(foreign).toBe(missing)
  })
})
