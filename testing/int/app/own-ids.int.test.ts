import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as actions from '@/app/(chat)/c/[id]/actions'
import * as stopRoute from '@/app/api/chat/[id]/stop/route'
import * as streamRoute from '@/app/api/chat/[id]/stream/route'
import * as turnRoute from '@/app/api/chat/route'
import * as graphRoute from '@/app/api/chats/[id]/graph/route'
import * as historyRoute from '@/app/api/chats/[id]/history/route'
import * as messagesRoute from '@/app/api/chats/[id]/messages/route'
import * as chatRoute from '@/app/api/chats/[id]/route'
import * as chatsRoute from '@/app/api/chats/route'
import * as forkRoute from '@/app/api/commands/fork-thread/route'
import * as sendRoute from '@/app/api/commands/send-message/route'
import * as liveRoute from '@/app/api/live/route'
import * as searchRoute from '@/app/api/search/route'
import * as branchesRoute from '@/app/api/threads/[id]/branches/route'
import * as eventsRoute from '@/app/api/threads/[id]/events/route'
import * as headRoute from '@/app/api/threads/[id]/head/route'
import * as threadMessagesRoute from '@/app/api/threads/[id]/messages/route'
import * as threadsRoute from '@/app/api/threads/route'
import type { Viewer } from '@/lib/auth'
import { takeOverRuns } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, type Services } from '@/lib/runtime'
import { chatView, comparisonView, readFrame } from '@/lib/server/pages/pages'
import { checkDatabase, rebuild } from '@/lib/store'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

// Two people call a chat, its first branch and a message by the same ids, and go through everything there is.

const door = vi.hoisted(() => ({ viewer: '', running: [] as Promise<unknown>[] }))
vi.mock('@/lib/auth', async (original) => {
  const viewer = (id: string): Viewer => ({
    ...{ id, name: id, guest: true },
    credential: { kind: 'session', id },
  })
  return {
    ...(await original<object>()),
    readViewer: async () => viewer(door.viewer),
    requireViewer: async (request?: Request) => viewer(request?.headers.get('x-viewer') ?? door.viewer),
  }
})
vi.mock('next/headers', async (original) => ({
  ...(await original<object>()),
  headers: async () => new Headers(),
}))
vi.mock('next/server', async (original) => ({
  ...(await original<object>()),
  connection: async () => undefined,
  after: (task: () => Promise<unknown>) => door.running.push(task()),
}))

type Handler = (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response>
const shared = globalThis as typeof globalThis & { __ramifyServices?: Promise<Services> | undefined }

onEachDatabase('ids that two people choose alike', ({ name }) => {
  let services: Services
  let database: Awaited<ReturnType<typeof databaseEnv>>

  beforeAll(async () => {
    database = await databaseEnv(name)
    services = await createServices({
      ...database.env,
      // a reply takes longer than the requests that race it
      RAMIFY_DEMO_DELAY_MS: '20',
      RAMIFY_RATE_LIMIT: 'off',
    })
    shared.__ramifyServices = Promise.resolve(services)
  })
  afterAll(async () => {
    await Promise.all(door.running)
    shared.__ramifyServices = undefined
    await services.database.close()
    await database?.remove()
  })

  /** A new person, and what the server answers them. */
  const arrive = async () => {
    const id = newId()
    await services.database.orm.insert(schema.user).values({ id, name: id, email: `${id}@example.org` })
    // a stream ends with its session
    const expiresAt = new Date(Date.now() + 3_600_000)
    await services.database.orm.insert(schema.session).values({ id, token: id, userId: id, expiresAt })
    const call = (handler: unknown, path: string, body?: object, named = ''): Promise<Response> => {
      const init = body
        ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : {}
      const request = new Request(`http://localhost${path}`, init)
      request.headers.set('x-viewer', id)
      request.headers.set('cookie', `session_token=${id}`)
      return (handler as Handler)(request, { params: Promise.resolve({ id: named }) })
    }
    const get = async (handler: unknown, path: string, named = '') =>
      (await call(handler, path, undefined, named)).text()
    const send = (chatId: string, text: string, over: object = {}) =>
      call(turnRoute.POST, '/api/chat', {
        ...{ id: chatId, model: 'demo:demo' },
        message: { id: newId(), role: 'user', parts: [{ type: 'text', text }] },
        ...over,
      })
    const live = async (chatId: string) => {
      const response = await call(liveRoute.GET, `/api/live?chat=${chatId}`)
      const reader = response.body?.getReader()
      const first = new TextDecoder().decode((await reader?.read())?.value)
      await reader?.cancel()
      return first
    }
    const as = <T>(use: () => Promise<T>): Promise<T> => {
      door.viewer = id
      return use()
    }
    const said = async (chatId: string) =>
      (await get(messagesRoute.GET, `/api/chats/${chatId}/messages`, chatId)) as string
    const graph = async (chatId: string) =>
      JSON.parse(await get(graphRoute.GET, `/api/chats/${chatId}/graph`, chatId))
    return { id, call, get, send, live, as, said, graph }
  }
  type Person = Awaited<ReturnType<typeof arrive>>

  const keysOf = async (person: Person): Promise<string[]> => {
    const rows = await services.database.query<{ id: string }>(
      'select id from chats where user_id = $1 order by created_at',
      [person.id],
    )
    return rows.map((row) => row.id)
  }

  /** Ada and Bob have begun chats called alike, with branches and first messages called alike. */
  const twoCalledAlike = async () => {
    const [ada, bob] = [await arrive(), await arrive()]
    const [chatId, branch] = [`trip-${newId()}`, newId()]
    const first = (text: string) => ({
      branch,
      message: { id: 'first', role: 'user', parts: [{ type: 'text', text }] },
    })
    const begun: string[] = []
    for (const [person, text] of [
      [ada, 'I am Ada, and I like plums'],
      [bob, 'I am Bob, and I like pears'],
    ] as const) {
      const response = await person.send(chatId, '', first(text))
      expect(response.status).toBe(200)
      begun.push(await response.text())
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
      const keep = async (answer: Promise<string | Response>) => {
        const given = await answer
        const text = typeof given === 'string' ? given : await given.text()
        answers.push(text)
        return text
      }
      const path = `/api/chats/${chatId}`
      // when more is said, in the browser and by a command
      await keep(person.send(chatId, 'What do I like?'))
      expect(await keep(person.said(chatId))).toContain(mine)
      const command = { thread_id: branch, content: `More ${mine}` }
      expect(JSON.parse(await keep(person.call(sendRoute.POST, '/', command))).thread_id).toBe(branch)
      await (await takeOverRuns(services.ports)).ended
      await keep(person.call(forkRoute.POST, '/', { source_thread_id: branch, event_number: 2 }))
      // when a branch is opened, renamed and compared, and a reply is stopped
      const { branches, runs } = await person.graph(chatId)
      expect([branches.length, runs]).toEqual([2, []])
      const moved = await person.as(() => actions.rewind({ chatId, branchId: branch, messageId: 'first' }))
      const renamed = await person.as(() => actions.renameChat({ chatId, title: `All ${mine}` }))
      expect([moved, renamed]).toMatchObject([
        { ok: true, value: { delta: { chatId } } },
        { ok: true, value: { delta: { chatId } } },
      ])
      answers.push(JSON.stringify([moved, renamed]))
      const [{ id: runId } = { id: '' }] = await services.database.query<{ id: string }>(
        'select r.id from runs r join chats c on c.id = r.chat_id where c.user_id = $1 limit 1',
        [person.id],
      )
      expect(JSON.parse(await keep(person.call(stopRoute.POST, '/', { runId }, chatId))).status).toBe(
        'completed',
      )
      // when it is read
      expect(JSON.parse(await keep(person.get(graphRoute.GET, `${path}/graph`, chatId))).chatId).toBe(chatId)
      await keep(person.get(graphRoute.GET, `${path}/graph?columns=nodes`, chatId))
      await keep(person.get(graphRoute.GET, `${path}/graph?since=0`, chatId))
      expect(JSON.parse(await keep(person.get(historyRoute.GET, `${path}/history`, chatId))).chatId).toBe(
        chatId,
      )
      expect((await person.call(streamRoute.GET, '/', undefined, chatId)).status).toBe(204)
      expect(await keep(person.live(chatId))).toContain(`"chatId":"${chatId}"`)
      for (const query of [`q=${mine}`, `q=${mine}&chat=${chatId}`]) {
        const { hits } = JSON.parse(await keep(person.get(searchRoute.GET, `/api/search?${query}`)))
        expect(new Set(hits.map((hit: { chatId: string }) => hit.chatId))).toEqual(new Set([chatId]))
      }
      // when it is kept in the list, alone and with others
      const kept = JSON.parse(await keep(person.call(chatRoute.PATCH, path, { tags: [mine] }, chatId)))
      expect(kept).toMatchObject({ id: chatId, tags: [mine] })
      expect(
        JSON.parse(await keep(person.call(chatsRoute.PATCH, '/api/chats', { ids: [chatId], pinned: true }))),
      ).toEqual({ changed: 1, ids: [chatId] })
      expect(JSON.parse(await keep(person.get(chatRoute.GET, path, chatId))).pinnedAt).not.toBeNull()
      expect(
        JSON.parse(await keep(person.get(chatsRoute.GET, `/api/chats?tag=${mine}`))).chats,
      ).toMatchObject([{ id: chatId }])
      const { threads } = JSON.parse(await keep(person.get(threadsRoute.GET, '/api/threads')))
      expect(new Set(threads.map((thread: { chat_id: string }) => thread.chat_id))).toEqual(new Set([chatId]))
      for (const route of [branchesRoute, eventsRoute, headRoute, threadMessagesRoute]) {
        await keep(person.call(route.GET, '/', undefined, branch))
      }
      const view = await person.as(() => chatView(chatId))
      const comparison = await person.as(() => comparisonView(chatId, branch))
      const {
        list: { chats },
      } = await person.as(readFrame)
      expect([view?.graph.chatId, comparison?.chatId, chats.map(({ id }) => id)]).toEqual([
        chatId,
        chatId,
        [chatId],
      ])
      answers.push(JSON.stringify([view, comparison, chats]))
      // then nothing tells of the other, nor of the key
      expect(answers.join('\n')).toContain(mine)
      for (const answer of answers) {
        expect(answer).not.toContain(theirs)
        expect(answer).not.toContain(key)
        expect(answer).not.toContain('"status":4')
      }
    }
    expect(await checkDatabase(services.database)).toEqual([])
    expect(await rebuild(services.database, { dry: true })).toMatchObject({ differences: 0, left: 0 })
  })

  it('given a reply on its way in a chat called as another person’s, when it is followed, then it tells of the chat under that id from beginning to end', async () => {
    const { bob, chatId, key } = await twoCalledAlike()
    const response = await bob.send(chatId, 'Hello again')
    const followed = await bob.call(streamRoute.GET, '/?since=0', undefined, chatId)
    const texts = [await response.text(), await followed.text()]
    for (const text of texts.filter((text) => text !== '')) {
      expect(text).not.toContain(key)
      expect(text).toContain(`"chatId":"${chatId}"`)
    }
    expect(texts[0]).toMatch(/data-run.*data-graph/s)
  })

  it('given two chats called alike, when one is deleted, then the other goes on, and the id is free again to the first', async () => {
    const { ada, bob, chatId, branch } = await twoCalledAlike()
    expect(await ada.as(() => actions.deleteChat({ chatId }))).toMatchObject({ ok: true })

    expect((await bob.send(chatId, 'Still there?', { branch })).status).toBe(200)
    expect(await bob.said(chatId)).toContain('pears')
    expect((await ada.call(graphRoute.GET, '/', undefined, chatId)).status).toBe(404)
    // a third person now has the key, and then the first a chat of another key
    const cleo = await arrive()
    for (const person of [cleo, ada]) {
      expect((await person.send(chatId, 'A new beginning', { branch })).status).toBe(200)
      expect((await person.graph(chatId)).nodes.length).toBeGreaterThanOrEqual(1)
      expect(await person.said(chatId)).not.toMatch(/plums|pears/)
    }
    expect(await bob.as(() => actions.deleteChat({ chatId }))).toMatchObject({ ok: true })
    expect((await bob.call(graphRoute.GET, '/', undefined, chatId)).status).toBe(404)
    expect(await keysOf(bob)).toEqual([])
    expect((await ada.call(graphRoute.GET, '/', undefined, chatId)).status).toBe(200)
  })

  it('given ids that others have and ids that none has, when a third person asks for them, then the answers are equal byte for byte', async () => {
    const { chatId, branch, key } = await twoCalledAlike()
    const cleo = await arrive()
    const text = { id: 'x', role: 'user', parts: [{ type: 'text', text: 'x' }] }
    const told = async (response: Promise<Response>) => {
      const { status, headers, body } = await response.then(async (r) => ({
        ...{ status: r.status, headers: [...r.headers] },
        body: await r.text(),
      }))
      return { status, headers, body }
    }
    for (const [mine, random] of [
      [chatId, newId()],
      [key, newId()],
      [branch, newId()],
    ] as const) {
      const asked: ((id: string) => Promise<Response>)[] = [
        ...[graphRoute.GET, historyRoute.GET, messagesRoute.GET, streamRoute.GET].map(
          (handler) => (id: string) => cleo.call(handler, '/', undefined, id),
        ),
        (id) => cleo.call(chatRoute.GET, '/', undefined, id),
        (id) => cleo.call(chatRoute.PATCH, '/', { title: 'Mine', pinned: true }, id),
        (id) => cleo.call(messagesRoute.GET, '/?branch=main', undefined, id),
        (id) => cleo.call(stopRoute.POST, '/', { runId: 'r' }, id),
        (id) => cleo.call(liveRoute.GET, `/api/live?chat=${id}`),
        (id) => cleo.call(searchRoute.GET, `/api/search?q=x&chat=${id}`),
        (id) => cleo.call(turnRoute.POST, '/', { id, trigger: 'regenerate-message' }),
        (id) => cleo.call(turnRoute.POST, '/', { id, message: text, messageId: 'first' }),
        (id) => cleo.call(turnRoute.POST, '/', { id, message: text, branch: 'side' }),
        (id) => cleo.call(turnRoute.POST, '/', { id, message: text, expectedHead: 'first' }),
        ...[branchesRoute, eventsRoute, headRoute, threadMessagesRoute].map(
          (route) => (id: string) => cleo.call(route.GET, '/', undefined, id),
        ),
        (id) => cleo.call(threadsRoute.GET, `/api/threads?before=${id}`),
        (id) => cleo.call(sendRoute.POST, '/', { thread_id: id, content: 'x' }),
        (id) => cleo.call(forkRoute.POST, '/', { source_thread_id: id, event_number: 1 }),
      ]
      for (const [i, ask] of asked.entries()) {
        const [there, missing] = [await told(ask(mine)), await told(ask(random))]
        expect(there, `request ${i}`).toEqual(missing)
        expect(there.status, `request ${i}`).toBe(404)
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
    const answers = await Promise.all(
      people.flatMap((person) =>
        [1, 2, 3, 4, 5].map((n) => person.send(chatId, `Opener ${n} of ${person.id}`)),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    await Promise.all(answers.map((answer) => answer.text()))
    for (const person of people) {
      expect(await keysOf(person)).toHaveLength(1)
      const said = await person.said(chatId)
      // the demo repeats what it is asked
      expect([...new Set(said.match(/Opener \d of [\w-]+/g))]).toEqual([expect.stringContaining(person.id)])
    }
    expect(await checkDatabase(services.database)).toEqual([])
  })

  it('given a chat called as another person’s, when its first message comes again, after or at the same time, then it is the same turn', async () => {
    const ada = await arrive()
    const bob = await arrive()
    const chatId = `again-${newId()}`
    await (await ada.send(chatId, 'Mine')).text()
    const body = {
      branch: newId(),
      message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Once only' }] },
    }
    const together = await Promise.all([1, 2, 3].map(() => bob.send(chatId, '', body)))
    const texts = await Promise.all(together.map((answer) => answer.text()))
    const later = await bob.send(chatId, '', body)
    expect([...together, later].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const text of [...texts, await later.text()]) expect(text).not.toContain((await keysOf(bob))[0])
    expect((await bob.graph(chatId)).nodes).toHaveLength(2)
  })

  it('given the id of a branch in another of one’s own chats, when a chat is begun with it, then that is refused, and sent again it is refused again', async () => {
    const { ada, branch } = await twoCalledAlike()
    const before = await keysOf(ada)
    for (const chatId of ['second', 'second']) {
      const refused = await ada.send(chatId, 'Elsewhere', { branch })
      expect([refused.status, (await refused.json()).code]).toEqual([409, 'name_taken'])
    }
    expect(await keysOf(ada)).toEqual(before)
    // begun in two chats at once, one of them is refused
    const raced = newId()
    const answers = await Promise.all(
      ['left', 'right'].map((side) => ada.send(`${side}-${raced}`, 'Race', { branch: raced })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await Promise.all(answers.map((answer) => answer.text()))
  })

  it('given a chat under an id of its own, when turns are stored, then that takes no statement more than the read, the write and the chain', async () => {
    const ada = await arrive()
    const chatId = newId()
    const statements = async (text: string) => {
      const query = vi.spyOn(services.database, 'query')
      const response = await ada.send(chatId, text)
      const reader = response.body?.getReader()
      // up to the first part, which says that the turn is stored
      await reader?.read()
      const hot = query.mock.calls.filter(([sql]) => !/run_parts|index_search/.test(sql)).length
      query.mockRestore()
      while (!(await reader?.read())?.done);
      return hot
    }
    expect([await statements('Hello'), await statements('Hello again')]).toEqual([2, 3])
  })
})
