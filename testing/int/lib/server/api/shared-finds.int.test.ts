import { expect, it } from 'vitest'
import { makeShare } from '@/lib/conversations'
import type { SharedFinds } from '@/lib/protocol'
import { sharingPorts } from '@/lib/server/api/shares'
import { sharedFinds, sharedGraph } from '@/lib/server/pages/shared-chat'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

const site = 'http://localhost:3000'

onOneDatabase('words that are looked for in a shared chat', ({ name }) => {
  const api = useApi(name, { RAMIFY_READ_LIMIT: 'off' })

  const chatOf = async () => {
    const { services } = api
    const chat = await storedChat(services.store, (await api.person()).id)
    const share = async (over: { withGraph?: boolean; follows?: boolean; messageId?: string } = {}) => {
      const { ownerId, chatId, main: branch } = chat
      const asked = { ownerId, chatId, branch, withGraph: false, follows: false, ...over }
      const made = await makeShare(sharingPorts(services, services.ports), asked)
      return 'token' in made ? made.token : ''
    }
    return { ...chat, share }
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

  it('given a chat of many parts, then a word is found in each of them, with the part that holds it; of hundreds of finds the first are told', async () => {
    const { main, say, share } = await chatOf()
    const said = Array.from({ length: 520 }, (_, n) =>
      [7, 130, 519].includes(n) ? `On a TRAM, ${n}.` : `word ${n}`,
    )
    const ids = await say(main, null, said)
    const token = await share()
    const hits = [
      [7, 1],
      [130, 3],
      [519, 11],
    ].map(([at = 0, part]) => ({ id: ids[at], part, branchId: null }))
    expect(await find(token, 'a tram')).toEqual({ more: false, hits })
    expect(await find(token, 'bicycle')).toEqual({ hits: [], more: false })
    const many = await find(token, 'word')
    expect([many.hits.length, many.more]).toEqual([500, true])
    // what is marked in Markdown is found as it is read, and over the end of a line
    const after = await say(main, ids[519] ?? '', ['Is it **steep** there,\nor [flat](https://example.org)?'])
    const follows = await share({ follows: true })
    expect(idsOf(await find(follows, 'steep there, or flat?'))).toEqual(after)
    expect(idsOf(await find(token, 'steep'))).toEqual([])
  })

  it('given words of what a link does not open, then nothing is found, and nothing of it is sent', async () => {
    const { main, say, branch, commit, share, ownerId, chatId } = await chatOf()
    const [first = '', second = ''] = await say(main, null, ['We have three days', 'Take the tram'])
    const other = await branch('other', first)
    const hidden = await say(other, first, ['A secret plan'])
    const archived = await branch('left', first)
    const left = await say(archived, first, ['A secret that is left'])
    await commit([{ kind: 'archive-branch', branchId: archived }])
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
    const found = [{ id: hidden[0], part: 1, branchId: other }]
    expect((await find(withGraph, 'secret', archived)).hits).toEqual(found)
    const { text } = await ask(withGraph, 'a')
    for (const unsaid of [...left, archived, chatId, ownerId]) expect(text).not.toContain(unsaid)
    // the branch that is read comes first
    const [onMain] = idsOf(await find(withGraph, 'a'))
    expect(onMain).toBe(first)
    expect((await find(withGraph, 'secret plan', other)).hits).toEqual(found)
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
