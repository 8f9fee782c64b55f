import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeShare } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { SharedFinds } from '@/lib/protocol'
import type { Services } from '@/lib/runtime'
import { sharingPorts } from '@/lib/server/api/shares'
import { sharedFinds, sharedGraph } from '@/lib/server/pages/shared-chat'
import { asProcess } from '@/testing/worlds/identity-world'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

const site = 'http://localhost:3000'

onEachDatabase('words that are looked for in a shared chat', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>
  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await asProcess({
      ...database.env,
      ...{ RAMIFY_RATE_LIMIT: 'off', RAMIFY_READ_LIMIT: 'off' },
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
  })
  afterAll(async () => {
    await services?.database.close()
    await database?.remove()
  })

  /** A person's chat; `main` is its first branch. */
  const chatOf = async () => {
    const [ownerId, chatId, main] = [newId(), newId(), newId()]
    await services.database.orm
      .insert(schema.user)
      .values({ id: ownerId, name: 'Ada', email: `${ownerId}@example.org` })
    const at = Date.now()
    const create = { userId: ownerId, branchId: main, title: 'Three days' }
    await services.store.commit({ chatId, ownerId, at, create, steps: [] })
    const say = async (branchId: string, expectedHead: string | null, said: (string | object[])[]) => {
      const messages = said.map((parts, n) => {
        const [id, role] = [newId(), n % 2 === 0 ? 'user' : 'assistant']
        const data = {
          ...{ id, role, metadata: {} },
          parts: typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts,
        }
        return { id, name: role, type: 'message', data, preview: '', createdAt: at }
      })
      const steps = [{ kind: 'append' as const, branchId, expectedHead, messages }]
      await services.store.commit({ chatId, ownerId, at, steps })
      return messages.map(({ id }) => id)
    }
    const branch = async (called: string, at: string) => {
      const branchId = newId()
      const steps = [
        {
          ...{ kind: 'open-branch' as const, branchId, name: called, after: called, at, activate: false },
          fork: { messageId: at },
        },
      ]
      await services.store.commit({ chatId, ownerId, at: Date.now(), steps })
      return branchId
    }
    const share = async (over: { withGraph?: boolean; follows?: boolean; messageId?: string } = {}) => {
      const made = await makeShare(sharingPorts(services, services.ports), {
        ...{ ownerId, chatId, branch: main, withGraph: false, follows: false },
        ...over,
      })
      return 'token' in made ? made.token : ''
    }
    return { ownerId, chatId, main, say, branch, share }
  }

  const ask = async (token: string, words: string, branch?: string) => {
    const query = new URLSearchParams({ words, ...(branch !== undefined && { branch }) })
    const request = new Request(`${site}/s/${token}/find?${query}`)
    const response = await sharedFinds(request, { params: Promise.resolve({ token }) })
    return { status: response.status, text: await response.text() }
  }
  const find = async (token: string, words: string, branch?: string): Promise<SharedFinds> =>
    JSON.parse((await ask(token, words, branch)).text)
  const idsOf = ({ hits }: SharedFinds) => hits.map(({ id }) => id)

  it('given a chat of many parts, then a word is found in each of them, with the part that holds it', async () => {
    const { main, say, share } = await chatOf()
    const ids = await say(
      main,
      null,
      Array.from({ length: 320 }, (_, n) => ([7, 130, 319].includes(n) ? `On a TRAM, ${n}.` : `word ${n}`)),
    )
    const token = await share()
    expect(await find(token, 'a tram')).toEqual({
      more: false,
      hits: [
        { id: ids[7], part: 1, branchId: null },
        { id: ids[130], part: 3, branchId: null },
        { id: ids[319], part: 7, branchId: null },
      ],
    })
    expect(await find(token, 'bicycle')).toEqual({ hits: [], more: false })
    // what is marked in Markdown is found as it is read, and over the end of a line
    const after = await say(main, ids[319] ?? '', ['Is it **steep** there,\nor [flat](https://example.org)?'])
    const follows = await share({ follows: true })
    expect(idsOf(await find(follows, 'steep there, or flat?'))).toEqual(after)
    expect(idsOf(await find(token, 'steep'))).toEqual([])
  })

  it('given a word that hundreds of messages say, then the first of them are told, and that there are more', async () => {
    const { main, say, share } = await chatOf()
    await say(
      main,
      null,
      Array.from({ length: 510 }, (_, n) => `word ${n}`),
    )
    const { hits, more } = await find(await share(), 'word')
    expect([hits.length, more]).toEqual([500, true])
  })

  it('given words of what a link does not open, then nothing is found, and nothing of it is sent', async () => {
    const { main, say, branch, share, ownerId, chatId } = await chatOf()
    const [first = '', second = ''] = await say(main, null, ['We have three days', 'Take the tram'])
    const other = await branch('other', first)
    const hidden = await say(other, first, ['A secret plan'])
    const archived = await branch('left', first)
    const left = await say(archived, first, ['A secret that is left'])
    await services.store.commit({
      ...{ chatId, ownerId, at: Date.now(), steps: [{ kind: 'archive-branch', branchId: archived }] },
    })
    const [inner = ''] = await say(main, second, [
      [
        { type: 'reasoning', text: 'A secret thought' },
        { type: 'tool-remember', toolCallId: 'c', state: 'output-available', input: { text: 'secret' } },
        { type: 'text', text: 'Said aloud', providerMetadata: { some: { item: 'secret' } } },
      ],
    ])
    const alone = await share({ messageId: inner })
    const withGraph = await share({ messageId: inner, withGraph: true })
    await say(main, inner, ['A secret that came later'])

    for (const place of [undefined, other, archived]) {
      const { status, text } = await ask(alone, 'secret', place)
      expect({ status, text }).toEqual({ status: 200, text: '{"hits":[],"more":false}' })
    }
    // with the graph the other branch is opened, but not the archived one, what came later, or what was thought
    const { hits } = await find(withGraph, 'secret', archived)
    expect(hits).toEqual([{ id: hidden[0], part: 1, branchId: other }])
    const { text } = await ask(withGraph, 'a')
    for (const unsaid of [...left, archived, chatId, ownerId]) expect(text).not.toContain(unsaid)
    // the branch that is read comes first
    const [onMain] = idsOf(await find(withGraph, 'a'))
    expect(onMain).toBe(first)
    expect((await find(withGraph, 'secret plan', other)).hits).toEqual([
      { id: hidden[0], part: 1, branchId: other },
    ])
  })

  it('given a token that opens nothing, then the answer is that of every other address; and bad words are refused', async () => {
    const { main, say, share } = await chatOf()
    await say(main, null, ['We have three days'])
    const token = await share()
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    const graph = await sharedGraph(new Request(`${site}/s/${wrong}/graph`), {
      params: Promise.resolve({ token: wrong }),
    })
    const dead = { status: graph.status, text: await graph.text() }
    expect(dead.status).toBe(404)
    for (const words of ['days', '']) expect(await ask(wrong, words)).toEqual(dead)
    expect((await ask(token, ' \n')).status).toBe(400)
    expect((await ask(token, 'x'.repeat(201))).status).toBe(400)
    expect((await ask(token, '\0')).text).toBe('{"hits":[],"more":false}')
  })
})
