import { expect, it, vi } from 'vitest'
import * as actions from '@/app/(chat)/c/[id]/actions'
import { newId } from '@/lib/events'
import { changeChat, changeChats, listChats, readChat } from '@/lib/server/api/chat-list'
import * as chats from '@/lib/server/api/chats'
import { forkThread, sendMessage } from '@/lib/server/api/commands'
import type { Operation } from '@/lib/server/api/operation'
import { listBranches, listThreads, readEvents, readHead, readMessages } from '@/lib/server/api/threads'
import { takeTurn } from '@/lib/server/api/turn'
import { chatView, comparisonView, readFrame } from '@/lib/server/pages/pages'
import { checkDatabase, rebuild } from '@/lib/store'
import { useApi } from '@/testing/worlds/api-world'
import { EventStream } from '@/testing/worlds/event-stream'
import { inRequestOf } from '@/testing/worlds/framework'
import { onServedDatabase } from '@/testing/worlds/open-stores'

// Two people call a chat, its first branch and a message by the same ids, and go through everything there is.

onServedDatabase('ids that two people choose alike', ({ name }) => {
  // a reply takes longer than the requests that race it
  const api = useApi(name, { RAMIFY_DEMO_DELAY_MS: '5', RAMIFY_WORKER: 'off' })

  /** A new person, and what the server answers them. */
  const arrive = async () => {
    const { id, ask, browser } = await api.person()
    const headers = { cookie: browser.cookie, host: 'localhost:3000' }
    const turn = (chatId: string, text: string, over: object = {}) => ({
      id: chatId,
      model: 'demo:demo',
      message: { id: newId(), role: 'user', parts: [{ type: 'text', text }] },
      ...over,
    })
    return {
      id,
      ask,
      read: async (operation: Operation, id = '', query = '') => (await ask(operation, { id, query })).text,
      send: (chatId: string, text: string, over: object = {}) =>
        ask(takeTurn, { body: turn(chatId, text, over) }),
      /** a turn whose answer has only begun */
      begin: (chatId: string, text: string) => api.respond(takeTurn, { headers, body: turn(chatId, text) }),
      live: async (chatId: string) => {
        const query = `?chat=${chatId}`
        const stream = await EventStream.of(await api.respond(chats.watchChat, { query, headers }))
        const first = await stream.next()
        await stream.leave()
        return JSON.stringify(first)
      },
      as: <T>(use: () => Promise<T>): Promise<T> => inRequestOf({ headers: new Headers(headers) }, use),
      said: async (id: string): Promise<string> => (await ask(chats.listChatMessages, { id })).text,
      graph: async (id: string) => (await ask(chats.readGraph, { id })).body,
    }
  }
  type Person = Awaited<ReturnType<typeof arrive>>

  const keysOf = async (person: Person): Promise<string[]> => {
    const keys = 'select id from chats where user_id = $1 order by created_at'
    return (await api.query<{ id: string }>(keys, person.id)).map(({ id }) => id)
  }

  /** Ada and Bob have begun chats called alike, with branches and first messages called alike. */
  const twoCalledAlike = async () => {
    const [ada, bob] = [await arrive(), await arrive()]
    const [chatId, branch] = [`trip-${newId()}`, newId()]
    const begun: string[] = []
    for (const [person, text] of [
      [ada, 'I am Ada, and I like plums'],
      [bob, 'I am Bob, and I like pears'],
    ] as const) {
      const message = { id: 'first', role: 'user', parts: [{ type: 'text', text }] }
      const answer = await person.send(chatId, '', { branch, message })
      expect(answer.status).toBe(200)
      begun.push(answer.text)
    }
    const [key = ''] = await keysOf(bob)
    return { ada, bob, chatId, branch, begun, key }
  }

  it('given two chats called alike, when each is used in every way, then each person meets their own under the id they chose, and no other', async () => {
    const { ada, bob, chatId, branch, begun, key } = await twoCalledAlike()
    expect(key).not.toBe(chatId)

    for (const [person, mine, theirs] of [
      [ada, 'plums', 'pears'],
      [bob, 'pears', 'plums'],
    ] as const) {
      const answers: string[] = [begun[person === ada ? 0 : 1] ?? '']
      const kept = async (operation: Operation, asked: Parameters<Person['ask']>[1] = {}) => {
        const answer = await person.ask(operation, asked)
        answers.push(answer.text)
        return answer.body
      }
      // when more is said, in the browser and by a command
      answers.push((await person.send(chatId, 'What do I like?')).text)
      expect(JSON.stringify(await kept(chats.listChatMessages, { id: chatId }))).toContain(mine)
      const command = { thread_id: branch, content: `More ${mine}` }
      expect((await kept(sendMessage, { body: command })).thread_id).toBe(branch)
      await api.answerAll()
      await kept(forkThread, { body: { source_thread_id: branch, event_number: 2 } })
      // when a branch is opened, renamed and compared, and a reply is stopped
      const { branches, runs } = await person.graph(chatId)
      expect([branches.length, runs]).toEqual([2, []])
      const done = [
        await person.as(() => actions.rewind({ chatId, branchId: branch, messageId: 'first' })),
        await person.as(() => actions.renameChat({ chatId, title: `All ${mine}` })),
      ]
      for (const one of done) expect(one).toMatchObject({ ok: true, value: { delta: { chatId } } })
      const [{ id: runId } = { id: '' }] = await api.query<{ id: string }>(
        'select r.id from runs r join chats c on c.id = r.chat_id where c.user_id = $1 limit 1',
        person.id,
      )
      expect((await kept(chats.stopReply, { id: chatId, body: { runId } })).status).toBe('completed')
      // when it is read
      expect((await kept(chats.readGraph, { id: chatId })).chatId).toBe(chatId)
      for (const query of ['?columns=nodes', '?since=0']) await kept(chats.readGraph, { id: chatId, query })
      expect((await kept(chats.readHistory, { id: chatId })).chatId).toBe(chatId)
      expect((await person.ask(chats.followReply, { id: chatId })).status).toBe(204)
      answers.push(await person.live(chatId))
      expect(answers.at(-1)).toContain(`"chatId":"${chatId}"`)
      for (const query of [`?q=${mine}`, `?q=${mine}&chat=${chatId}`]) {
        const { hits } = await kept(chats.search, { query })
        expect(new Set(hits.map((hit: { chatId: string }) => hit.chatId))).toEqual(new Set([chatId]))
      }
      // when it is kept in the list, alone and with others
      const tagged = await kept(changeChat, { id: chatId, body: { tags: [mine] } })
      expect(tagged).toMatchObject({ id: chatId, tags: [mine] })
      const pinned = await kept(changeChats, { body: { ids: [chatId], pinned: true } })
      expect(pinned).toEqual({ changed: 1, ids: [chatId] })
      expect((await kept(readChat, { id: chatId })).pinnedAt).not.toBeNull()
      expect((await kept(listChats, { query: `?tag=${mine}` })).chats).toMatchObject([{ id: chatId }])
      const { threads } = await kept(listThreads)
      expect(new Set(threads.map((thread: { chat_id: string }) => thread.chat_id))).toEqual(new Set([chatId]))
      for (const operation of [listBranches, readEvents, readHead, readMessages])
        await kept(operation, { id: branch })
      const view = await person.as(() => chatView(chatId))
      const comparison = await person.as(() => comparisonView(chatId, branch))
      const { list } = await person.as(readFrame)
      const shown = [view?.graph.chatId, comparison?.chatId, ...list.chats.map(({ id }) => id)]
      expect(shown).toEqual([chatId, chatId, chatId])
      answers.push(JSON.stringify([done, view, comparison, list.chats]))
      // then nothing tells of the other, nor of the key
      expect(answers.join('\n')).toContain(mine)
      for (const answer of answers) {
        expect(answer).not.toContain(theirs)
        expect(answer).not.toContain(key)
        expect(answer).not.toContain('"status":4')
      }
    }
    expect(await checkDatabase(api.services.database)).toEqual([])
    expect(await rebuild(api.services.database, { dry: true })).toMatchObject({ differences: 0, left: 0 })
  })

  it('given a reply on its way in a chat called as another person’s, when it is followed, then it tells of the chat under that id from beginning to end', async () => {
    const { bob, chatId, key } = await twoCalledAlike()
    const response = await bob.begin(chatId, 'Hello again')
    const followed = await bob.read(chats.followReply, chatId, '?since=0')
    const sent = await response.text()
    for (const text of [sent, followed].filter(Boolean)) {
      expect(text).not.toContain(key)
      expect(text).toContain(`"chatId":"${chatId}"`)
    }
    expect(sent).toMatch(/data-run.*data-graph/s)
  })

  it('given two chats called alike, when one is deleted, then the other goes on, and the id is free again to the first', async () => {
    const { ada, bob, chatId, branch } = await twoCalledAlike()
    expect(await ada.as(() => actions.deleteChat({ chatId }))).toMatchObject({ ok: true })

    expect((await bob.send(chatId, 'Still there?', { branch })).status).toBe(200)
    expect(await bob.said(chatId)).toContain('pears')
    expect((await ada.ask(chats.readGraph, { id: chatId })).status).toBe(404)
    // a third person now has the key, and then the first a chat of another key
    const cleo = await arrive()
    for (const person of [cleo, ada]) {
      expect((await person.send(chatId, 'A new beginning', { branch })).status).toBe(200)
      expect((await person.graph(chatId)).nodes.length).toBeGreaterThanOrEqual(1)
      expect(await person.said(chatId)).not.toMatch(/plums|pears/)
    }
    expect(await bob.as(() => actions.deleteChat({ chatId }))).toMatchObject({ ok: true })
    expect((await bob.ask(chats.readGraph, { id: chatId })).status).toBe(404)
    expect(await keysOf(bob)).toEqual([])
    expect((await ada.ask(chats.readGraph, { id: chatId })).status).toBe(200)
  })

  it('given ids that others have and ids that none has, when a third person asks for them, then the answers are equal byte for byte', async () => {
    const { chatId, branch, key } = await twoCalledAlike()
    const cleo = await arrive()
    const text = { id: 'x', role: 'user', parts: [{ type: 'text', text: 'x' }] }
    const told = async (operation: Operation, asked: Parameters<Person['ask']>[1]) => {
      const { status, text, headers } = await cleo.ask(operation, asked)
      return { status, text, headers: [...headers] }
    }
    for (const [mine, random] of [
      [chatId, newId()],
      [key, newId()],
      [branch, newId()],
    ] as const) {
      type Asked = [Operation, (id: string) => Parameters<Person['ask']>[1]]
      const turns = [
        ...[{ trigger: 'regenerate-message' }, { message: text, messageId: 'first' }],
        ...[{ branch: 'side' }, { expectedHead: 'first' }].map((more) => ({ message: text, ...more })),
      ]
      const reads = [
        ...[chats.readGraph, chats.readHistory, chats.listChatMessages, chats.followReply, readChat],
        ...[listBranches, readEvents, readHead, readMessages],
      ]
      const asked: Asked[] = [
        ...reads.map((operation): Asked => [operation, (id) => ({ id })]),
        ...turns.map((more): Asked => [takeTurn, (id) => ({ body: { id, ...more } })]),
        [changeChat, (id) => ({ id, body: { title: 'Mine', pinned: true } })],
        [chats.listChatMessages, (id) => ({ id, query: '?branch=main' })],
        [chats.stopReply, (id) => ({ id, body: { runId: 'r' } })],
        [chats.watchChat, (id) => ({ query: `?chat=${id}` })],
        [chats.search, (id) => ({ query: `?q=x&chat=${id}` })],
        [listThreads, (id) => ({ query: `?before=${id}` })],
        [sendMessage, (id) => ({ body: { thread_id: id, content: 'x' } })],
        [forkThread, (id) => ({ body: { source_thread_id: id, event_number: 1 } })],
      ]
      for (const [operation, of] of asked) {
        const what = `${operation.id} ${JSON.stringify(of('id'))}`
        const [there, missing] = [await told(operation, of(mine)), await told(operation, of(random))]
        expect(there, what).toEqual(missing)
        expect(there.status, what).toBe(404)
      }
      const acted = (id: string) =>
        cleo.as(async () => [
          await actions.rewind({ chatId: id, branchId: branch, messageId: 'first' }),
          await actions.renameChat({ chatId: id, title: 'Mine' }),
          await actions.restoreCheckpoint({ chatId: id, branchId: branch, name: 'x' }),
          await actions.deleteChat({ chatId: id }),
          await chatView(id),
          await comparisonView(id, branch),
        ])
      expect(await acted(mine)).toEqual(await acted(random))
    }
  })

  it('given four people who begin a chat under one id five times each at once, then each has one chat, and every request one honest answer', async () => {
    const chatId = `rush-${newId()}`
    const people = await Promise.all([1, 2, 3, 4].map(arrive))
    const five = (person: Person) =>
      [1, 2, 3, 4, 5].map((n) => person.send(chatId, `Opener ${n} of ${person.id}`))
    const answers = await Promise.all(people.flatMap(five))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    for (const person of people) {
      expect(await keysOf(person)).toHaveLength(1)
      const said = await person.said(chatId)
      // the demo repeats what it is asked
      expect([...new Set(said.match(/Opener \d of [\w-]+/g))]).toEqual([expect.stringContaining(person.id)])
    }
    expect(await checkDatabase(api.services.database)).toEqual([])
  })

  it('given a chat called as another person’s, when its first message comes again, after or at the same time, then it is the same turn', async () => {
    const ada = await arrive()
    const bob = await arrive()
    const chatId = `again-${newId()}`
    await ada.send(chatId, 'Mine')
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Once only' }] }
    const body = { branch: newId(), message }
    const together = await Promise.all([1, 2, 3].map(() => bob.send(chatId, '', body)))
    const later = await bob.send(chatId, '', body)
    expect([...together, later].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { text } of [...together, later]) expect(text).not.toContain((await keysOf(bob))[0])
    expect((await bob.graph(chatId)).nodes).toHaveLength(2)
  })

  it('given the id of a branch in another of one’s own chats, when a chat is begun with it, then that is refused, and sent again it is refused again', async () => {
    const { ada, branch } = await twoCalledAlike()
    const before = await keysOf(ada)
    for (const chatId of ['second', 'second']) {
      const refused = await ada.send(chatId, 'Elsewhere', { branch })
      expect([refused.status, refused.body.code]).toEqual([409, 'name_taken'])
    }
    expect(await keysOf(ada)).toEqual(before)
    // begun in two chats at once, one of them is refused
    const raced = newId()
    const answers = await Promise.all(
      ['left', 'right'].map((side) => ada.send(`${side}-${raced}`, 'Race', { branch: raced })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('given a chat under an id of its own, when turns are stored, then that takes no statement more than the read, the write, and what new chats begin with or the chain', async () => {
    const ada = await arrive()
    const chatId = newId()
    const statements = async (text: string) => {
      const query = vi.spyOn(api.services.database, 'query')
      const response = await ada.begin(chatId, text)
      const reader = response.body?.getReader()
      // up to the first part, which says that the turn is stored
      await reader?.read()
      const hot = query.mock.calls.filter(([sql]) => !/run_parts|index_search/.test(sql)).length
      query.mockRestore()
      while (!(await reader?.read())?.done);
      return hot
    }
    expect([await statements('Hello'), await statements('Hello again')]).toEqual([3, 3])
  })
})
