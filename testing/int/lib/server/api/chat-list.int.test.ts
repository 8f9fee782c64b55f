import { expect, it } from 'vitest'
import { planChatUpdate } from '@/lib/context'
import type { ChatPage, ChatSummary } from '@/lib/protocol'
import {
  changeChat,
  changeChats,
  deleteChats,
  listChats,
  listTags,
  readChat,
} from '@/lib/server/api/chat-list'
import { useApi } from '@/testing/worlds/api-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'

const noon = Date.UTC(2026, 2, 14, 12)

onServedDatabase('the list of chats', ({ name }) => {
  const api = useApi(name, { OPENAI_API_KEY: 'sk-of-nobody' })

  const person = async () => {
    const { id: owner, ask } = await api.person()
    const list = async (query = '') => (await ask(listChats, { query })).body as ChatPage
    return {
      owner,
      ask,
      list,
      titles: async (query = '') => (await list(`?limit=200&${query}`)).chats.map(titleOf),
      change: (id: string, body: object) => ask(changeChat, { id, body }),
      changeAll: (body: object) => ask(changeChats, { body }),
      remove: (body: object) => ask(deleteChats, { body }),
      read: async (id: string) => (await ask(readChat, { id })).body as ChatSummary,
      tags: async () => (await ask(listTags)).body.tags as { tag: string; chats: number }[],
      /** makes chats, each a minute after the one before */
      begin: async (...titles: string[]) => {
        const ids = titles.map((title) => `${title}-${owner}`)
        for (const [at, chatId] of ids.entries()) {
          const create = { userId: owner, title: titles[at], branchId: `main-${chatId}` }
          await api.services.store.commit({ chatId, at: noon + at * 60_000, create, steps: [] })
        }
        return ids
      },
    }
  }
  const titleOf = ({ title }: ChatSummary) => title

  it('given chats, when one is pinned, then it comes first, and the others follow by what the list is sorted by', async () => {
    const ada = await person()
    const [pears = '', plums = ''] = await ada.begin('pears', 'plums', 'Apples')

    expect(await ada.titles()).toEqual(['Apples', 'plums', 'pears'])
    const { body } = await ada.change(pears, { pinned: true })
    expect(body).toMatchObject({ pinnedAt: expect.any(Number), updatedAt: noon })
    expect(await ada.titles()).toEqual(['pears', 'Apples', 'plums'])
    expect(await ada.titles('sort=title')).toEqual(['pears', 'Apples', 'plums'])
    await ada.change(plums, { title: 'A plum' })
    expect(await ada.titles('sort=created')).toEqual(['pears', 'Apples', 'A plum'])
    expect(await ada.titles('sort=updated')).toEqual(['pears', 'A plum', 'Apples'])
    await ada.change(pears, { pinned: false })
    expect(await ada.titles('sort=title')).toEqual(['A plum', 'Apples', 'pears'])
  })

  it('given a tool that waits at the end of a branch, then the list says so until it is answered', async () => {
    const ada = await person()
    const [pears = '', plums = ''] = await ada.begin('pears', 'plums')
    const asks = (approval: object, state: string) => ({
      type: 'dynamic-tool',
      toolName: 'calculator',
      toolCallId: 'call-1',
      input: {},
      state,
      approval: { id: 'approval-1', ...approval },
    })
    const say = (chatId: string, above: string | null, id: string, parts: object[]) => {
      const data = { id, role: 'assistant', parts }
      const message = { id, name: 'assistant', type: 'message', data, preview: '', createdAt: noon }
      const branchId = `main-${chatId}`
      return api.services.store.commit({
        chatId,
        ownerId: ada.owner,
        at: noon,
        steps: [{ kind: 'append', branchId, expectedHead: above, messages: [message] }],
      })
    }
    const waiting = async () => (await ada.list()).chats.filter(({ waits }) => waits).map(titleOf)

    expect(await waiting()).toEqual([])
    await say(pears, null, `q-${pears}`, [asks({}, 'approval-requested')])
    await say(plums, null, `q-${plums}`, [{ type: 'text', text: 'A question of another kind?' }])
    expect(await waiting()).toEqual(['pears'])
    expect(await ada.read(pears)).toMatchObject({ waits: true })
    await say(pears, `q-${pears}`, `a-${pears}`, [
      { ...asks({ approved: true }, 'output-available'), output: 1 },
    ])
    expect(await waiting()).toEqual([])
  })

  it('given an imported chat, then the list says its address in its own program, and nothing that is no address of the web', async () => {
    const ada = await person()
    const [pears = '', plums = ''] = await ada.begin('pears', 'plums')
    const keep = async (chatId: string, origin: string) => {
      const imported = { source: 'claude', id: chatId, origin }
      const steps = planChatUpdate({ metadata: { imported } })
      await api.services.store.commit({ chatId, ownerId: ada.owner, at: noon, steps })
    }
    await keep(pears, 'https://claude.ai/chat/1')
    await keep(plums, 'javascript:alert(1)')
    expect(await ada.read(pears)).toMatchObject({
      origin: { source: 'claude', url: 'https://claude.ai/chat/1' },
    })
    expect(await ada.read(plums)).toMatchObject({ origin: null })
  })

  it('given chats that agents write in, then the list names their programs and what all branches cost, and is filtered by them', async () => {
    const ada = await person()
    const [pears = '', plums = '', figs = ''] = await ada.begin('pears', 'plums', 'figs')
    const write = (chat: string, branch: string, client: string | null, minute: number) =>
      api.query(
        `insert into agent_branches (chat_id, branch_id, message_id, client, called_at) values ($1, $2, 'm', $3, $4)`,
        chat,
        branch,
        client,
        new Date(noon + minute * 60_000).toISOString(),
      )
    const spend = (chat: string, model: string, day: string, input: number) =>
      api.query(
        `insert into usage_days (chat_id, day, model, replies, input_tokens, output_tokens) values ($1, $2, $3, 1, $4, 0)`,
        chat,
        day,
        model,
        input,
      )
    const { models } = api.services
    const offered = await models.of(ada.owner)
    const priced = offered.ids.find((id) => (offered.facts(id).price?.input ?? 0) > 0) ?? ''
    const price = offered.facts(priced).price?.input ?? 0
    await api.query(
      `insert into branches (chat_id, id, name) select $1, $2, 'sub-agent'`,
      pears,
      `sub-${pears}`,
    )
    await write(pears, `main-${pears}`, 'claude-cli/2.1.197 (external, cli)', 2)
    await write(pears, `sub-${pears}`, 'claude-cli/2.1.197 (external, cli)', 1)
    await write(plums, `main-${plums}`, null, 1)
    await spend(pears, priced, '2026-03-14', 1_000_000)
    await spend(pears, priced, '2026-03-15', 500_000)
    await spend(plums, priced, '2026-03-14', 1)
    await spend(plums, 'a model nobody knows', '2026-03-14', 1)

    const told = (await ada.list()).chats.map(({ title, agent, costUsd }) => [title, agent, costUsd])
    expect(told).toEqual([
      ['figs', null, null],
      ['plums', 'api', null],
      ['pears', 'claude-code', 1.5 * price],
    ])
    expect(await ada.titles('agents=true')).toEqual(['plums', 'pears'])
    expect(await ada.titles('agents=false')).toEqual(['figs'])
    expect((await ada.list('?agents=true&limit=1')).total).toBe(2)
    expect(await ada.read(figs)).toMatchObject({ agent: null, costUsd: null, origin: null })
    // an act on all that the filter finds leaves the others alone
    await ada.changeAll({ filter: { agents: true }, archived: true })
    expect(await ada.titles()).toEqual(['figs'])
  })

  it('given a reply that is queued, written and over, then the list says whether one is under way', async () => {
    const ada = await person()
    const [pears = ''] = await ada.begin('pears', 'plums')
    const replying = async () => (await ada.list()).chats.filter((chat) => chat.replying).map(titleOf)
    expect(await replying()).toEqual([])
    await api.query(
      `insert into runs (chat_id, id, branch_id, reply_to, reply_id, model, status)
      select chat_id, 'r', id, 'q', 'a', 'demo:echo', 'queued' from branches where id = $1`,
      `main-${pears}`,
    )
    const become = (status: string, endedAt: string | null) =>
      api.query(`update runs set status = $1, ended_at = $2 where id = 'r'`, status, endedAt)
    expect(await replying()).toEqual(['pears'])
    await become('running', null)
    expect(await ada.read(pears)).toMatchObject({ replying: true })
    await become('completed', new Date(noon).toISOString())
    expect(await replying()).toEqual([])
  })

  for (const sort of ['updated', 'created', 'title']) {
    it(`given chats of the same minute and pinned ones, when they are paged by ${sort} while others change, then each that stays is met once`, async () => {
      const ada = await person()
      const names = Array.from({ length: 23 }, (_, i) => `chat ${String(i % 7).padStart(2, '0')} ${i}`)
      const ids = await ada.begin(...names)
      // all at one time: the id tells them apart
      const same = 'update chats set updated_at = $2, created_at = $2 where user_id = $1'
      await api.query(same, ada.owner, new Date(noon).toISOString())
      await ada.changeAll({ ids: ids.slice(4, 9), pinned: true })
      const met: string[] = []
      let cursor: string | null = null
      do {
        const page: ChatPage = await ada.list(`?sort=${sort}&limit=4${cursor ? `&cursor=${cursor}` : ''}`)
        met.push(...page.chats.map(({ id }) => id))
        expect(page.total).toBe(cursor ? undefined : 23)
        cursor = page.next
        // what has been met goes further up meanwhile
        const last = met.at(-1) ?? ''
        await ada.change(last, sort === 'title' ? { title: `a chat ${met.length}` } : { pinned: true })
        await ada.change(met[1] ?? '', sort === 'title' ? { tags: ['met'] } : { title: `${met.length}` })
      } while (cursor)
      expect(new Set(met).size).toBe(met.length)
      expect(new Set(met)).toEqual(new Set(ids))
    })
  }

  it('given tagged and archived chats, when the list is filtered, then it shows those alone, whatever the letters’ case', async () => {
    const ada = await person()
    const [pears = '', plums = '', figs = ''] = await ada.begin('100% pears', 'Plums_', 'Figs')
    await ada.change(pears, { tags: [' E\u0301te\u0301 ', 'Market'] })
    await ada.change(plums, { tags: ['market', 'MARKET'] })
    await ada.change(figs, { archived: true, tags: ['market'] })

    expect((await ada.read(pears)).tags).toEqual(['Été', 'Market'])
    expect(await ada.titles('tag=MARKET')).toEqual(['Plums_', '100% pears'])
    expect(await ada.titles('tag=%C3%A9t%C3%89')).toEqual(['100% pears'])
    expect(await ada.titles('archived=true&tag=market')).toEqual(['Figs'])
    expect(await ada.titles('q=PL')).toEqual(['Plums_'])
    // nothing of the text is a wildcard
    expect(await ada.titles('q=%25')).toEqual(['100% pears'])
    expect([...(await ada.titles('q=_')), ...(await ada.titles('q=x'))]).toEqual(['Plums_'])
    const tags = (await ada.tags()).map(({ tag, chats }) => `${tag} ${chats}`)
    expect(tags).toEqual(['Été 1', 'market 3'])
    // then the archived one is reached by its address
    expect(await ada.read(figs)).toMatchObject({ archivedAt: expect.any(Number) })
    expect((await ada.change(figs, { archived: false })).body.archivedAt).toBeNull()
    expect(await ada.titles('archived=false')).toEqual(['Figs', 'Plums_', '100% pears'])
  })

  it('given a chat without a title, when its name in the list is looked for, then it is found, and is among those that the filter picks', async () => {
    const ada = await person()
    await ada.begin('Figs')
    const id = `untitled-${ada.owner}`
    const create = { userId: ada.owner, branchId: `main-${id}` }
    await api.services.store.commit({ chatId: id, at: noon, create, steps: [] })

    expect((await ada.list('?q=UNTITLED')).chats.map((chat) => chat.id)).toEqual([id])
    expect((await ada.list('?q=untitled')).total).toBe(1)
    await ada.changeAll({ filter: { q: 'untitled' }, archived: true })
    expect(await ada.read(id)).toMatchObject({ archivedAt: expect.any(Number) })
    expect(await ada.titles()).toEqual(['Figs'])
  })

  it('given many chats, when they are changed in one request, then all are or none is, and the answer names those that are other than before', async () => {
    const ada = await person()
    const ids = await ada.begin('a', 'b', 'c', 'd')
    const [a = '', b = '', c = '', d = ''] = ids

    const both = { changed: 2, ids: expect.arrayContaining([a, b]) }
    expect((await ada.changeAll({ ids: [a, b], archived: true })).body).toEqual(both)
    expect((await ada.changeAll({ ids: [a, c], archived: true })).body).toEqual({ changed: 1, ids: [c] })
    const shown = await ada.changeAll({ filter: { archived: true }, except: [c], archived: false })
    expect(shown.body).toEqual(both)
    await ada.change(a, { tags: Array.from({ length: 20 }, (_, i) => `tag ${i}`) })
    const refused = await ada.changeAll({ ids, tags: { add: ['one more'] } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'too_many_tags' } })
    expect((await ada.read(d)).tags).toEqual([])
    // one of them goes and one comes: twenty are left
    const swapped = await ada.changeAll({ ids, tags: { add: ['One More'], remove: ['TAG 0'] } })
    expect(swapped.body.changed).toBe(4)
    expect((await ada.read(d)).tags).toEqual(['One More'])
    // when those of a filter are deleted, then the others stay
    expect((await ada.remove({ filter: { tag: 'tag 1' } })).body).toEqual({ deleted: 1 })
    expect((await ada.remove({ ids: [b, a, 'none'] })).body).toEqual({ deleted: 1 })
    expect(await ada.titles()).toEqual(['d'])
    expect(await ada.titles('archived=true')).toEqual(['c'])
  })

  it('given two acts on the same chats at once, in opposite order, then both are done', async () => {
    const ada = await person()
    const ids = await ada.begin(...Array.from({ length: 40 }, (_, i) => `chat ${i}`))
    const act = (_: unknown, i: number) =>
      ada.changeAll({ ids: i % 2 ? ids : ids.toReversed(), tags: { add: [`tag ${i}`] } })
    const answers = await Promise.all(Array.from({ length: 8 }, act))
    expect(answers.map(({ body }) => body.changed)).toEqual(Array(8).fill(40))
    expect((await ada.tags()).map(({ chats }) => chats)).toEqual(Array(8).fill(40))
  })

  it('given ids of another person and ids of no chat, then the answers are equal byte for byte and nothing is changed', async () => {
    const [ada, bob] = [await person(), await person()]
    const [plums = ''] = await ada.begin('plums')
    await ada.change(plums, { tags: ['secret'] })
    const missing = `none-${ada.owner}`
    const acts: ((id: string) => ReturnType<typeof bob.ask>)[] = [
      (id) => bob.ask(readChat, { id }),
      (id) => bob.change(id, { title: 'Mine', pinned: true }),
      (id) => bob.change(id, { archived: true, tags: ['mine'] }),
      (id) => bob.changeAll({ ids: [id], archived: true, pinned: true, tags: { add: ['mine'] } }),
      (id) => bob.changeAll({ filter: {}, except: [id], archived: true }),
      (id) => bob.remove({ ids: [id] }),
      (id) => bob.remove({ filter: { q: id } }),
      (id) => bob.ask(listChats, { query: `?q=${id}` }),
      (id) => bob.ask(listChats, { query: `?tag=${id === plums ? 'secret' : 'nothing'}` }),
    ]
    for (const [at, act] of acts.entries()) {
      const [there, nowhere] = [await act(plums), await act(missing)]
      expect(there, `act ${at}`).toEqual(nowhere)
      expect(there.status, `act ${at}`).toBe(at < 3 ? 404 : 200)
    }
    expect(await bob.tags()).toEqual([])
    const kept = { title: 'plums', pinnedAt: null, archivedAt: null, tags: ['secret'] }
    expect((await ada.list()).chats).toMatchObject([kept])
  })

  it('given bad input, then each is refused in words, and nothing is changed', async () => {
    const ada = await person()
    const [plums = ''] = await ada.begin('plums')
    const cursor = async (sort: string) => {
      await ada.begin('x', 'y')
      return (await ada.list(`?sort=${sort}&limit=1`)).next
    }
    const ofTitles = await cursor('title')
    const bad = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const query of [
      ...['limit=0', 'limit=201', 'sort=size', 'archived=1', 'tag=', `tag=${'x'.repeat(41)}`],
      ...[`q=${'x'.repeat(201)}`, 'q=%00', 'cursor=nonsense', `cursor=${ofTitles}`],
      `cursor=${bad(['updated', false, '99999999999999999999', 'x'])}`,
      `cursor=${bad(['updated', false, '1; drop table chats', 'x'])}`,
      ...[`cursor=${bad(['updated', 1, '1', 'x'])}`, `cursor=${bad(['updated', false, '1', '\0'])}`],
    ]) {
      expect((await ada.ask(listChats, { query: `?${query}` })).status, query).toBe(400)
    }
    for (const body of [
      ...[{ title: ' ' }, { title: 'x'.repeat(201) }, { title: 'a\0b' }, { pinned: 'yes' }],
      ...[{ tags: ['x'.repeat(41)] }, { tags: [' '] }, { tags: ['\ud800'] }],
      ...[{ tags: Array.from({ length: 21 }, (_, i) => `tag ${i}`) }, { color: 'red' }],
      { title: 'x'.repeat(201), pinned: true },
    ]) {
      expect((await ada.change(plums, body)).status, JSON.stringify(body)).toBe(400)
    }
    for (const of of [
      ...[{}, { ids: [] }, { ids: ['a\0b'] }, { ids: [plums], filter: {} }],
      { ids: Array.from({ length: 10_001 }, (_, i) => `${i}`) },
      ...[{ filter: { archived: 'yes' } }, { filter: { color: 'red' } }],
    ])
      expect((await ada.changeAll({ ...of, archived: true })).status, JSON.stringify(of).slice(0, 80)).toBe(
        400,
      )
    expect((await ada.changeAll({ ids: [plums], title: 'All alike' })).status).toBe(400)
    for (const body of [{}, { ids: [] }, { ids: [plums], archived: true }])
      expect((await ada.remove(body)).status, JSON.stringify(body)).toBe(400)
    const kept = { title: 'plums', pinnedAt: null, archivedAt: null, tags: [] }
    expect(await ada.read(plums)).toMatchObject(kept)
    expect((await ada.change(plums, {})).status).toBe(200)
  })
})
