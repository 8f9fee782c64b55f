import { describe, expect, it } from 'vitest'
import { deleteChat, drawShare, forkShare, plantSample, readShare } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { SharedView } from '@/lib/protocol'
import { copyShare, createShare, listShares, revokeShare, sharingPorts } from '@/lib/server/api/shares'
import { sharedFile, sharedFinds, sharedGraph } from '@/lib/server/pages/shared-chat'
import { useApi } from '@/testing/worlds/api-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'
import { storedChat } from '@/testing/worlds/stored-chat'

const site = 'http://localhost:3000'

onServedDatabase('shared chats', ({ name }) => {
  const api = useApi(name, { RAMIFY_READ_LIMIT: 'off' })

  const person = async () => {
    const { id: owner, ask } = await api.person()
    /** the token of a link to a chat's first branch */
    const link = async (chat_id: string, more: object = {}): Promise<string> =>
      (await ask(createShare, { body: { chat_id, branch: 'main', graph: false, follow: false, ...more } }))
        .body.token
    return {
      owner,
      link,
      share: (body: object) => ask(createShare, { body: { graph: false, follow: false, ...body } }),
      links: async (query = '') => (await ask(listShares, { query })).body.shares,
      linksOf: (query: string) => ask(listShares, { query }),
      revoke: (id: string) => ask(revokeShare, { id }),
      copy: (id: string) => ask(copyShare, { id }),
    }
  }
  const chatOf = (ownerId: string) => storedChat(api.services.store, ownerId)

  const read = async (token: string, place = {}): Promise<SharedView> =>
    (await readShare(sharingPorts(api.services, api.services.ports), token, place)).view
  const wordsOf = ({ messages }: SharedView) =>
    messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.type)).join())
  const params = <T>(value: T) => ({ params: Promise.resolve(value) })
  const graphOf = async (token: string) => {
    const response = await sharedGraph(new Request(`${site}/s/${token}/graph`), params({ token }))
    return { status: response.status, text: await response.text() }
  }
  const fileOf = async (token: string, id: string) => {
    const response = await sharedFile(new Request(`${site}/s/${token}/files/${id}`), params({ token, id }))
    const [type, called] = ['content-type', 'content-disposition'].map((of) => response.headers.get(of))
    return { status: response.status, type, called, text: await response.text() }
  }

  it('given a link to a message, then what is said later is not read, and with a link that follows it is', async () => {
    const ada = await person()
    const { chatId, main, say } = await chatOf(ada.owner)
    const [, second = ''] = await say(main, null, ['We have three days', 'Take the tram'])
    const made = await ada.share({ chat_id: chatId, branch: 'main' })
    expect(made.status).toBe(201)
    expect(made.body.token).toMatch(/^[\w-]{43}$/)
    expect(made.body.url).toBe(`${site}/s/${made.body.token}`)
    const follows = await ada.link(chatId, { branch: main, follow: true, graph: true })
    const withGraph = await ada.link(chatId, { graph: true })
    const pinned = await read(made.body.token)

    await say(main, second, ['And Sintra later'])

    expect(await read(made.body.token)).toEqual(pinned)
    expect(wordsOf(pinned)).toEqual(['We have three days', 'Take the tram'])
    expect(wordsOf(await read(follows))).toContain('And Sintra later')
    expect((await graphOf(follows)).text).toContain('And Sintra later')
    // also not in the graph, which is that of then
    expect(JSON.stringify(await read(withGraph)) + (await graphOf(withGraph)).text).not.toContain('Sintra')
    const both = { chat_id: chatId, branch: main, message_id: second, follow: true }
    expect((await ada.share(both)).status).toBe(400)
  })

  it('given a link without the graph, then nothing of other branches is sent, and with it nothing of archived ones', async () => {
    const ada = await person()
    const { chatId, main, say, branch, commit } = await chatOf(ada.owner)
    const secret = 'secret'
    const [first = '', second = ''] = await say(main, null, ['We have three days', 'Take the tram'])
    const other = await branch(`${secret} plan`, first)
    const hidden = await say(other, first, [`A ${secret} reply`, `A ${secret} word`])
    const merge = {
      sourceBranchId: other,
      sourceBranch: `${secret} plan`,
      sourceHeadId: hidden[1],
      baseId: first,
      mode: 'brief',
      conflicts: [],
      quotes: [{ messageId: hidden[0], text: `A ${secret} reply` }],
    }
    const called = { toolCallId: 'c', state: 'output-available' }
    const [merged = ''] = await say(main, second, ['What both found'], {
      metadata: { merge, copiedFrom: hidden[0], mergeParent: hidden[1], usage: { inputTokens: 4711 } },
      parts: [
        { type: 'text', text: 'What both found', providerMetadata: { some: { item: `${secret} item` } } },
        { type: 'reasoning', text: `My ${secret} instructions` },
        { ...called, type: 'tool-remember', input: { text: `${secret} memory` }, output: {} },
        { ...called, type: 'tool-calculator', input: { expression: '1+1' }, output: 2 },
        { type: 'data-note', data: `${secret} data` },
      ],
    })
    await say(main, merged, ['Said after'])
    const alone = await ada.link(chatId, { message_id: merged })
    const view = await read(alone, { branch: other, at: hidden[0] })
    expect(wordsOf(view)).toEqual(['We have three days', 'Take the tram', 'What both found,tool-calculator'])
    const sent = JSON.stringify(view)
    for (const unsaid of [secret, other, main, chatId, ...hidden, 'Said after', '4711', ada.owner]) {
      expect(sent).not.toContain(unsaid)
    }
    expect(await graphOf(alone)).toEqual(await graphOf('never'))

    const all = await ada.link(chatId, { message_id: merged, graph: true })
    expect(wordsOf(await read(all, { at: hidden[1] }))).toEqual([
      ...['We have three days', `A ${secret} reply`, `A ${secret} word`],
    ])
    expect((await graphOf(all)).text).not.toContain(chatId)

    await commit([{ kind: 'archive-branch', branchId: other }])
    const later = await ada.link(chatId, { graph: true })
    const shown = JSON.stringify(await read(later, { branch: other })) + (await graphOf(later)).text
    for (const unsaid of [secret, other]) expect(shown).not.toContain(unsaid)
  })

  describe('given a link with the graph up to a message', () => {
    /** A branch that goes on with two messages and a file; another branch leaves it at its second message. */
    const given = async () => {
      const [ada, bob] = [await person(), await person()]
      const { chatId, main, say, branch, commit } = await chatOf(ada.owner)
      const stored = await api.services.files.store(ada.owner, {
        bytes: pngImage(chatId),
        mediaType: 'image/png',
        name: 'later.png',
      })
      const file = stored?.id ?? ''
      const part = { type: 'file', mediaType: 'image/png', filename: 'later.png', url: `/api/files/${file}` }
      const [first = '', second = ''] = await say(main, null, ['We have three days', 'Take the tram'])
      const other = await branch('other', second)
      await say(other, second, ['Or walk'])
      /** says more below the end of the branch */
      const goOn = async () => {
        const [after = ''] = await say(main, second, ['A secret came after'])
        const id = newId()
        const data = { id, role: 'assistant', parts: [part, { type: 'text', text: 'A secret came last' }] }
        const message = { id, name: 'assistant', data, preview: 'secret', createdAt: 1, files: [file] }
        await commit([{ kind: 'append', branchId: main, expectedHead: after, messages: [message] }])
        await commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: 'secret', messageId: id }])
        return { after, last: id }
      }
      const upTo = (message_id: string) => ada.link(chatId, { message_id, graph: true })
      /** all that readers of a link are sent, however they ask */
      const sent = async (token: string, messages: string[]) => {
        const places = [{}, { branch: main }, { branch: other }, ...messages.map((at) => ({ at }))]
        const pages = await Promise.all(places.map((place) => read(token, { ...place, part: 9 })))
        const finds = await Promise.all(
          [undefined, main, other].map(async (branch) => {
            const query = new URLSearchParams({ words: 'secret', ...(branch && { branch }) })
            const request = new Request(`${site}/s/${token}/find?${query}`)
            return JSON.parse(await (await sharedFinds(request, params({ token }))).text()).hits.length
          }),
        )
        const { chat_id: copy } = (await bob.copy(token)).body
        const copied = await api.services.ports.reads.graph(copy, bob.owner)
        return {
          words: pages.map(wordsOf),
          finds,
          graph: JSON.parse((await graphOf(token)).text),
          text: JSON.stringify([pages, (await graphOf(token)).text, copied]),
          file: (await fileOf(token, file)).status,
          copied: copied?.nodes.length,
          drawn: (await drawShare(sharingPorts(api.services, api.services.ports), token)).dots.length,
        }
      }
      return { ada, main, other, first, second, say, branch, commit, goOn, upTo, sent, chatId }
    }

    it.each([
      ['goes on', 'before'],
      ['grew after the link was made', 'after'],
    ])('when the branch %s, then nothing below the message is sent', async (_, when) => {
      const { second, goOn, upTo, sent } = await given()
      const before = when === 'after' ? await upTo(second) : ''
      const { after, last } = await goOn()
      const shown = await sent(before || (await upTo(second)), [after, last])
      const said = ['We have three days', 'Take the tram']
      expect(shown.words).toEqual([said, said, [...said, 'Or walk'], said, said])
      expect(shown).toMatchObject({ finds: [0, 0, 0], file: 404, copied: 3, drawn: 3 })
      for (const unsaid of ['secret', after, last]) expect(shown.text).not.toContain(unsaid)
    })

    it('when another branch holds what comes below it, then it is read there, and the branch of the link ends at it', async () => {
      const { main, second, branch, goOn, upTo, sent } = await given()
      const { after, last } = await goOn()
      const third = await branch('third', after)
      const shown = await sent(await upTo(second), [after, last])
      const said = ['We have three days', 'Take the tram']
      expect(shown.words.at(1)).toEqual(said)
      expect(shown.words.at(3)).toEqual([...said, 'A secret came after'])
      expect(shown.words.at(4)).toEqual(said)
      expect(shown).toMatchObject({ finds: [1, 1, 1], file: 404, copied: 4, drawn: 4 })
      expect(shown.text).not.toContain(last)
      const { branches } = shown.graph as { branches: { id: string; headId: string }[] }
      expect(branches.find(({ id }) => id === main)?.headId).toBe(second)
      expect(branches.find(({ id }) => id === third)?.headId).toBe(after)
    })

    it('when a branch says its first word later, then its title, which tells of that, is not sent', async () => {
      const { ada, chatId, main, first, second, say, branch, commit, goOn, upTo, sent } = await given()
      const empty = await branch('other-v2', second)
      const token = await upTo(second)
      const tells = await branch('other-v3', second)
      await say(empty, second, ['A secret'])
      await say(tells, second, ['Open'])
      await goOn()
      await commit([{ kind: 'title-branch', branchId: empty, title: 'The secret' }])
      await commit([{ kind: 'title-branch', branchId: tells, title: 'No matter' }])
      expect((await sent(token, [])).text).not.toContain('secret')
      const above = { chat_id: chatId, branch: tells, message_id: first, graph: true }
      expect((await graphOf((await ada.share(above)).body.token)).text).not.toContain('No matter')
      expect((await graphOf(await ada.link(chatId, { branch: main, graph: true }))).text).toContain(
        'No matter',
      )
    })
  })

  it('given a long chat, then a part of its messages is sent at a time', async () => {
    const ada = await person()
    const { chatId, main, say } = await chatOf(ada.owner)
    const said = Array.from({ length: 120 }, (_, n) => `message ${n}.`)
    await say(main, null, said)
    const token = await ada.link(chatId)
    const parts = await Promise.all([1, 2, 3, 4].map((part) => read(token, { part })))
    expect(parts.map(({ messages }) => messages.length)).toEqual([50, 50, 20, 20])
    expect(parts[1]).toMatchObject({ part: 2, parts: 3, total: 120, start: 50 })
    expect(wordsOf(parts[1] as SharedView)[0]).toBe('message 50.')
    // those beside it are known, as a call and its answer may be divided
    const besides = parts.map(({ beside }) => [beside.above, beside.below].map(([message]) => message?.id))
    const idAt = (depth: number) => parts.flatMap(({ messages }) => messages)[depth]?.id
    expect(besides.slice(0, 3)).toEqual([
      [undefined, idAt(50)],
      [idAt(49), idAt(100)],
      [idAt(99), undefined],
    ])
  })

  it('given a token that is wrong, revoked, expired, or of a deleted chat, then every answer is the same', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chatId, main, say } = await chatOf(ada.owner)
    await say(main, null, ['We have three days'])
    const other = await chatOf(ada.owner)
    await other.say(other.main, null, ['Something else'])
    const inForce = async (chat = chatId) =>
      (await ada.share({ chat_id: chat, branch: 'main', graph: true })).body as { id: string; token: string }
    const [good, revoked, expired] = [await inForce(), await inForce(), await inForce()]
    const deleted = await inForce(other.chatId)
    expect((await ada.revoke(revoked.id)).status).toBe(204)
    const expire = `update share_links set expires_at = now() - interval '1 second' where id = $1`
    await api.query(expire, expired.id)
    await deleteChat(api.services.ports, { ownerId: ada.owner, chatId: other.chatId })
    const wrong = `${good.token.slice(0, -1)}${good.token.endsWith('A') ? 'B' : 'A'}`

    const answers = await Promise.all(
      [wrong, revoked.token, expired.token, deleted.token, 'x', '\0'].map(async (token) => [
        await bob.copy(token),
        await graphOf(token),
        await fileOf(token, 'any'),
        await read(token).catch((error: Error) => error.message),
      ]),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.[0]).toMatchObject({ status: 404, body: { detail: 'Share not found' } })
    expect(wordsOf(await read(good.token))).toEqual(['We have three days'])
    // no token is stored
    const stored = JSON.stringify(await api.query('select * from share_links'))
    for (const { token } of [good, expired]) expect(stored).not.toContain(token)
  })

  it('given another person, then chats, branches and links are as unknown as ones that never were', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chatId, main, say } = await chatOf(ada.owner)
    const [first = ''] = await say(main, null, ['We have three days'])
    const { id } = (await ada.share({ chat_id: chatId, branch: 'main' })).body
    const alike = async (theirs: object, never: object) =>
      expect(await bob.share(theirs)).toEqual(await bob.share(never))
    await alike({ chat_id: chatId, branch: main }, { chat_id: 'never', branch: main })
    const own = await chatOf(bob.owner)
    expect((await bob.share({ chat_id: own.chatId, branch: 'main' })).status).toBe(400)
    await own.say(own.main, null, ['Mine'])
    const mine = { chat_id: own.chatId, branch: 'main' }
    await alike({ ...mine, branch: main }, { ...mine, branch: 'never' })
    await alike({ ...mine, message_id: first }, { ...mine, message_id: 'never' })
    expect(await bob.revoke(id)).toEqual(await bob.revoke('never'))
    expect(await bob.linksOf(`?chat_id=${chatId}`)).toEqual(await bob.linksOf('?chat_id=never'))
    expect(await bob.links()).toEqual([])
    const listed = { id, title: 'Three days', branch: 'main', views: 0 }
    expect(await ada.links(`?chat_id=${chatId}`)).toMatchObject([listed])
    const past = '2020-01-01T00:00:00Z'
    expect((await ada.share({ chat_id: chatId, branch: 'main', expires_at: past })).status).toBe(400)
  })

  it('given a hundred links to a chat, then there is no room for another, and a revoked one makes room', async () => {
    const ada = await person()
    const { chatId, main, say } = await chatOf(ada.owner)
    await say(main, null, ['We have three days'])
    const share = () => ada.share({ chat_id: chatId, branch: 'main' })
    await share()
    await api.query(
      `insert into share_links (chat_id, id, token_hash, branch_id, message_id, seq, with_graph, follows)
      select chat_id, id || n, encode(sha256(n::text::bytea), 'hex'), branch_id, message_id, seq, with_graph, follows
      from share_links, generate_series(2, 98) n where chat_id = $1`,
      chatId,
    )
    const made = await Promise.all([1, 2, 3, 4, 5].map(share))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
    const [first] = await ada.links()
    await ada.revoke(first.id)
    expect((await share()).status).toBe(201)
  })

  it('given files, then those of the messages shown are read through the link, and no others', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chatId, main, say, branch, commit } = await chatOf(ada.owner)
    const store = async (name: string) => {
      const file = { bytes: pngImage(name), mediaType: 'image/png', name }
      return (await api.services.files.store(ada.owner, file))?.id ?? ''
    }
    // uploaded first under names that are for nobody else
    const [shown, hidden, unsent] = [
      await store('for-my-divorce.png'),
      await store('plan'),
      await store('draft'),
    ]
    const withFile = async (file: string, branchId: string, expectedHead: string | null) => {
      const id = newId()
      const part = { type: 'file', mediaType: 'image/png', filename: 'map.png', url: `/api/files/${file}` }
      const data = { id, role: 'user', parts: [part, { type: 'text', text: 'Here' }] }
      const message = { id, name: 'user', type: 'message', data, preview: 'Here', createdAt: 1 }
      const messages = [{ ...message, files: [file] }]
      await commit([{ kind: 'append', branchId, expectedHead, messages }])
      return id
    }
    const first = await withFile(shown, main, null)
    const [reply = ''] = await say(main, first, ['Said'])
    await withFile(hidden, await branch('other', first), first)
    const alone = await ada.link(chatId, { message_id: reply })
    const all = await ada.link(chatId, { graph: true })
    expect(JSON.stringify(await read(alone))).toContain(`/s/${alone}/files/${shown}`)
    const called = `inline; filename="map.png"; filename*=UTF-8''map.png`
    expect(await fileOf(alone, shown)).toMatchObject({ status: 200, type: 'image/png', called })
    expect(await fileOf(alone, hidden)).toEqual(await fileOf(alone, 'never'))
    expect(await fileOf(alone, unsent)).toEqual(await fileOf(alone, 'never'))
    expect(await fileOf(all, hidden)).toMatchObject({ status: 200, called })

    const copied = (await bob.copy(all)).body.chat_id
    const own = await api.query<{ id: string; name: string }>(
      'select f.id, f.name from files f join chat_files h on h.file_id = f.id where h.chat_id = $1 and f.owner_id = $2',
      copied,
      bob.owner,
    )
    expect(own).toHaveLength(2)
    expect(own.map(({ id }) => id)).not.toContain(shown)
    expect(own.map(({ name }) => name)).toEqual(['map.png', 'map.png'])
  })

  it('given a reply that goes on with a cut one, then readers and copies have the place, and nothing of the cut reply', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chatId, main, say } = await chatOf(ada.owner)
    const [question = ''] = await say(main, null, ['Where to?'])
    await say(main, question, ['Three days in Lisbon'], {
      metadata: {
        finishReason: 'length',
        seams: [{ messageId: 'the cut one', part: 1, at: 17 }, 'nonsense'],
      },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Three days in Lisbon' },
      ],
    })
    const token = await ada.link(chatId)
    const view = await read(token)
    const place = { finishReason: 'length', seams: [{ part: 0, at: 17 }] }
    expect(view.messages.at(-1)?.metadata).toMatchObject(place)
    expect(JSON.stringify(view)).not.toContain('the cut one')

    const copied = (await bob.copy(token)).body.chat_id
    const [row] = await api.query<{ data: { metadata: unknown } }>(
      'select data from messages where chat_id = $1 order by depth desc limit 1',
      copied,
    )
    expect(row?.data.metadata).toMatchObject(place)
  })

  it('given a stranger who copies a link with the graph, then the copy says the same on every branch', async () => {
    const [ada, bob] = [await person(), await person()]
    const { chatId } = await plantSample(api.services.ports, ada.owner)
    const token = await ada.link(chatId, { graph: true })
    const copied = await bob.copy(token)
    expect(copied.status).toBe(201)
    const [theirs, own] = await Promise.all([
      api.services.ports.reads.graph(chatId, ada.owner),
      api.services.ports.reads.graph(copied.body.chat_id, bob.owner),
    ])
    const shape = (graph: typeof own) => ({
      nodes: graph?.nodes.map(({ lane, depth, role, preview }) => [lane, depth, role, preview].join()).sort(),
      branches: graph?.branches.map(({ name }) => name).sort(),
      checkpoints: graph?.checkpoints.map(({ name }) => name).sort(),
    })
    expect(shape(own)).toEqual(shape(theirs))
    const head = own?.branches.find(({ id }) => id === own.activeBranchId)
    expect(head?.name).toBe('main')
    const chain = await api.services.store.getMessageChain(copied.body.chat_id, head?.headId ?? '')
    const ids = new Set(theirs?.nodes.map(({ id }) => id))
    for (const { data } of chain) {
      expect(ids).toContain((data as { metadata: { sharedFrom: string } }).metadata.sharedFrom)
    }
    // the owner sees nothing of it, and it stays when the link ends
    expect(await api.services.ports.reads.graph(copied.body.chat_id, ada.owner)).toBeUndefined()

    const pinned = await ada.link(chatId)
    const alone = await api.services.ports.reads.graph((await bob.copy(pinned)).body.chat_id, bob.owner)
    expect(alone?.branches.map(({ name }) => name)).toEqual(['main'])
    expect(alone?.nodes).toHaveLength((await read(pinned)).total)
  })

  describe('given a long chat of two branches', () => {
    const long = async () => {
      const ada = await person()
      const { chatId, main, say, branch } = await chatOf(ada.owner)
      const texts = Array.from({ length: 1300 }, (_, at) => `Line ${at}`)
      const ids = await say(main, null, texts)
      const at = ids[699] ?? ''
      await say(await branch('other', at), at, texts)
      return ada.link(chatId, { graph: true })
    }
    const copiesOf = (owner: string) =>
      api.query<{ id: string; metadata: object }>('select id, metadata from chats where user_id = $1', owner)

    it('when it is copied, then it is written part by part, and whole', async () => {
      const bob = await person()
      const copied = (await bob.copy(await long())).body.chat_id
      const graph = await api.services.ports.reads.graph(copied, bob.owner)
      expect(graph?.nodes).toHaveLength(2600)
      expect(graph?.branches.map(({ name }) => name).toSorted()).toEqual(['main', 'other'])
      const heads = graph?.branches.map(({ headId }) => headId ?? '') ?? []
      const lengths = heads.map((head) => api.services.store.countChain(copied, head))
      expect((await Promise.all(lengths)).toSorted()).toEqual([1300, 2000])
      expect(await copiesOf(bob.owner)).toMatchObject([
        { metadata: { sharedFrom: { shareId: expect.any(String) } } },
      ])
      expect(JSON.stringify(await copiesOf(bob.owner))).not.toContain('isCopying')
    })

    it('when a part of the copy is refused, then there is no chat', async () => {
      const [bob, token] = [await person(), await long()]
      const ports = sharingPorts(api.services, api.services.ports)
      let parts = 0
      const commit: typeof ports.store.commit = async (change) => {
        parts += 1
        if (parts === 2) throw new Error('refused')
        return ports.store.commit(change)
      }
      const store = new Proxy(ports.store, {
        get: (of, key) => (key === 'commit' ? commit : Reflect.get(of, key).bind(of)),
      })
      await expect(forkShare({ ...ports, store }, { ownerId: bob.owner, token })).rejects.toThrow('refused')
      expect(await copiesOf(bob.owner)).toEqual([])
    })

    it('when its process ends in between, then what is there is deleted ten minutes later', async () => {
      const [bob, token] = [await person(), await long()]
      const copied = (await bob.copy(token)).body.chat_id
      const forget = api.services.chores['deleting copies that were broken off']
      const breakOff = (minutes: number) =>
        api.query(
          `update chats set metadata = jsonb_set(metadata, '{sharedFrom,isCopying}', 'true'),
            updated_at = clock_timestamp() - make_interval(mins => $2) where id = $1`,
          copied,
          minutes,
        )
      await breakOff(9)
      expect(await forget()).toBe(0)
      await breakOff(11)
      expect(await forget()).toBe(1)
      expect(await copiesOf(bob.owner)).toEqual([])
    })
  })
})
