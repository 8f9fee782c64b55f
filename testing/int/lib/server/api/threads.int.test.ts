import { expect, it } from 'vitest'
import { createThread, forkThread, sendMessage } from '@/lib/server/api/commands'
import { createKey, listKeys } from '@/lib/server/api/keys'
import type { Operation } from '@/lib/server/api/operation'
import { listBranches, listThreads, readEvents, readHead, readMessages } from '@/lib/server/api/threads'
import { fanOut, keepThread } from '@/lib/server/api/verbs/fan-out'
import { useApi } from '@/testing/worlds/api-world'
import { EventStream } from '@/testing/worlds/event-stream'
import { onOneDatabase } from '@/testing/worlds/open-stores'

// The rules of commands and reads are tested at their use cases: lib/runtime/thread-….int.test.ts

onOneDatabase('commands and reads of threads over HTTP', ({ name }) => {
  const api = useApi(name, { RAMIFY_WORKER: 'off' })

  const person = async () => {
    const { ask } = await api.person()
    const command = (operation: Operation, body: object, key?: string) =>
      ask(operation, { body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
    const read = (operation: Operation, id: string, query = '') => ask(operation, { id, query })
    const messages = async (thread: string) => (await read(readMessages, thread)).body.messages
    /** Sends a message, waits until its reply is stored, and returns its text. */
    const talk = async (thread_id: string, content: string): Promise<string> => {
      const sent = await command(sendMessage, { thread_id, content })
      expect(sent.status, sent.text).toBe(202)
      await api.answerAll()
      return (await messages(thread_id)).at(-1).content
    }
    const create = async (title?: string) => (await command(createThread, title ? { title } : {})).body
    const fork = async (source_thread_id: string, event_number: number): Promise<string> =>
      (await command(forkThread, { source_thread_id, event_number })).body.thread_id
    return { command, read, messages, talk, create, fork }
  }

  it('given forks nested three deep, then each holds the messages up to its beginning as one sequence, and the lists name its parent', async () => {
    const ada = await person()
    const { thread_id: root, chat_id } = await ada.create('Names')
    await ada.talk(root, 'I am devansh')
    await ada.talk(root, 'My favourite colour is green')
    const named = await ada.fork(root, 4)
    expect(named).toMatch(/^branch-/)
    expect(await ada.talk(named, 'what is my favourite colour')).not.toMatch(/green/i)
    const deeper = await ada.fork(named, 9)
    expect(await ada.talk(deeper, 'what is my name')).toMatch(/devansh/i)
    const before = await ada.fork(deeper, 1)
    expect(await ada.talk(before, 'what is my name')).not.toMatch(/devansh/i)

    for (const thread of [root, named, deeper, before]) {
      const events: { event_number: number }[] = (await ada.read(readEvents, thread)).body.events
      expect(events.map(({ event_number }) => event_number)).toEqual(events.map((_, at) => at + 1))
    }
    const roles = { 2: 'user', 3: 'assistant', 7: 'user', 8: 'assistant', 12: 'user', 13: 'assistant' }
    expect(await ada.messages(deeper)).toMatchObject(
      Object.entries(roles).map(([number, role]) => ({ event_number: Number(number), role })),
    )
    const { threads } = (await ada.read(listThreads, '')).body
    expect(threads).toMatchObject([
      { thread_id: before, chat_id, parent_thread_id: deeper, from_event_number: 1, title: 'Names' },
      ...[{ thread_id: deeper }, { thread_id: named }, { thread_id: root }],
    ])
    expect((await ada.read(listBranches, root)).body.branches).toMatchObject([{ thread_id: named }])
    expect((await ada.read(readHead, root)).body).toMatchObject({ status: 'idle', event_number: 7 })
  })

  it('given a key that was used, when a command comes under it, then the same one is answered alike, another one is refused', async () => {
    const ada = await person()
    const { thread_id } = await ada.create()
    const body = { thread_id, content: 'Once' }
    const first = await ada.command(sendMessage, body, 'send-1')
    // also with the fields in another order
    const again = await ada.command(sendMessage, { content: 'Once', thread_id }, 'send-1')
    expect([again.status, again.text]).toEqual([202, first.text])
    const code = 'idempotency_mismatch'
    for (const [operation, other] of [
      [sendMessage, { ...body, content: 'Twice' }],
      [createThread, {}],
    ] as const)
      expect((await ada.command(operation, other, 'send-1')).body).toMatchObject({ status: 409, code })
    for (const bad of ['', 'x'.repeat(256), 'é'])
      expect((await ada.command(createThread, {}, bad)).status, bad).toBe(400)
    // and while the reply is written
    for (const [more, code] of [
      [{ expected_version: 1 }, 'expected_version'],
      [{}, 'reply_in_progress'],
    ] as const) {
      const refused = await ada.command(sendMessage, { ...body, ...more })
      expect(refused).toMatchObject({ status: 409, body: { code } })
    }
    await api.answerAll()
    expect(await ada.messages(thread_id)).toHaveLength(2)
  })

  it('given a stream of the events of a fork, when it is cut after any of them, then it goes on without a gap or a repetition', async () => {
    const ada = await person()
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'Hello')
    const fork = await ada.fork(thread_id, 4)
    await ada.talk(fork, 'what now')
    const script = await (await api.person()).script()
    expect((await script.ask(readEvents, { id: fork })).status).toBe(404)

    const { key } = (await ada.command(createKey, { name: 'watcher' })).body
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` }
    const all = (await ada.read(readEvents, fork)).body.events
    const seen = []
    for (let last = 0; last < all.length; last++) {
      const from: Record<string, string> = last > 0 ? { 'last-event-id': `${last}` } : {}
      const asked = { id: fork, query: '?after=0', headers: { ...headers, ...from } }
      const stream = await EventStream.of(await api.respond(readEvents, asked))
      const next = await stream.next()
      expect(next.id).toBe(last + 1)
      seen.push(next.data)
      await stream.leave()
    }
    expect(seen).toEqual(all)
    const refused = async (query: string, more: Record<string, string> = {}) =>
      (await api.ask(readEvents, { id: fork, query, headers: { ...headers, ...more } })).status
    expect([await refused('', { 'last-event-id': 'abc' }), await refused('?after=-1')]).toEqual([400, 400])
  })

  it('given an impossible request, then it is refused with its status and in words, and writes nothing', async () => {
    const ada = await person()
    const { thread_id } = await ada.create()
    await ada.talk(thread_id, 'Good')
    const before = (await ada.read(readEvents, thread_id)).text
    const lists = (await ada.read(listThreads, '')).text
    const send = { thread_id, content: 'x' }
    const two = { ...send, count: 2 }
    const fork = { source_thread_id: thread_id, event_number: 1 }
    const keep = { thread_id, other_thread_ids: ['nowhere'] }
    for (const [operation, body, status, detail] of [
      [sendMessage, { ...send, content: '' }, 400, 'Message cannot be empty'],
      [sendMessage, { ...send, content: ' \n ' }, 400, 'Message cannot be empty'],
      [sendMessage, { ...send, content: 'x'.repeat(100_001) }, 400, 'too long'],
      [sendMessage, { ...send, content: 'a\0b' }, 400, 'NUL'],
      [sendMessage, { ...send, content: 'a\ud800b' }, 400, 'surrogate'],
      [sendMessage, { ...send, content: 7 }, 400, 'content'],
      [sendMessage, { thread_id }, 400, 'Message cannot be empty'],
      [sendMessage, { content: 'x' }, 400, 'thread_id'],
      [sendMessage, { ...send, expectedVersion: 4 }, 400, 'expectedVersion'],
      [sendMessage, { ...send, expected_version: '4' }, 400, 'expected_version'],
      [sendMessage, { ...send, thread_id: 'nowhere' }, 404, 'Thread not found'],
      [forkThread, { ...fork, source_thread_id: 'nowhere' }, 404, 'Thread not found'],
      [forkThread, { ...fork, event_number: 5 }, 404, 'Event not found'],
      [forkThread, { ...fork, event_number: 0 }, 404, 'Event not found'],
      [forkThread, { ...fork, event_number: 1.5 }, 400, 'event_number'],
      [forkThread, { source_thread_id: thread_id }, 400, 'event_number'],
      [fanOut, send, 400, 'one of `models`'],
      [fanOut, { ...send, count: 1 }, 400, '2 to 8'],
      [fanOut, { ...send, count: 9 }, 400, '2 to 8'],
      [fanOut, { ...send, count: 2.5 }, 400, 'count'],
      [fanOut, { ...send, models: [] }, 400, '2 to 8'],
      [fanOut, { ...send, models: ['demo:demo', 'missing:at-all'] }, 400, 'missing:at-all'],
      [fanOut, { ...send, contexts: ['one', 'two'] }, 400, 'context'],
      [fanOut, { ...send, presets: ['one', 'two'] }, 400, 'no such preset'],
      [fanOut, { ...two, presets: ['one', 'two'] }, 400, 'one of `models`'],
      [fanOut, { ...two, models: ['demo:demo', 'demo:demo'] }, 400, 'one of `models`'],
      [fanOut, { ...two, counts: 2 }, 400, 'counts'],
      [fanOut, { ...two, content: ' ' }, 400, 'Message cannot be empty'],
      [fanOut, { thread_id, count: 2 }, 400, 'either `content` or'],
      [fanOut, { ...two, message_id: 'x' }, 400, 'either `content` or'],
      [fanOut, { thread_id, message_id: 'nowhere', count: 2 }, 404, 'Message not found'],
      [fanOut, { ...two, thread_id: 'nowhere' }, 404, 'Thread not found'],
      [keepThread, { thread_id, other_thread_ids: [] }, 400, 'other_thread_ids'],
      [keepThread, { thread_id, other_thread_ids: [thread_id] }, 400, 'among'],
      [keepThread, keep, 404, 'Thread not found'],
      [keepThread, { thread_id: 'nowhere', other_thread_ids: [thread_id] }, 404, 'Thread not found'],
      [createThread, { title: '  ' }, 400, 'name'],
      [createThread, { title: 'x'.repeat(201) }, 400, '200'],
      [createThread, { titel: 'x' }, 400, 'titel'],
    ] as const) {
      const refused = await ada.command(operation, body)
      const what = `${operation.id} ${JSON.stringify(body).slice(0, 80)}`
      expect([refused.status, refused.type], what).toEqual([status, 'application/problem+json'])
      expect(refused.body.detail, what).toContain(detail)
      expect(refused.text, what).not.toMatch(/at .*\.(ts|js):\d+/)
    }
    for (const [operation, id, query, status] of [
      [readMessages, thread_id, '?limit=0', 400],
      [readMessages, thread_id, '?after=-1', 400],
      [readEvents, thread_id, '?after=abc', 400],
      [readEvents, thread_id, '?after=99999999999', 400],
      [listThreads, '', '?limit=501', 400],
      [listThreads, '', '?before=nowhere', 404],
      [readHead, '\0', '', 404],
      [listBranches, 'nowhere', '', 404],
    ] as const)
      expect((await ada.read(operation, id, query)).status, `${operation.id} ${query}`).toBe(status)
    expect((await ada.read(readEvents, thread_id)).text).toBe(before)
    expect((await ada.read(listThreads, '')).text).toBe(lists)
  })

  it('given no session, then nothing is read or written, and the answer says what is missing', async () => {
    const visitor = api.caller()
    for (const operation of [listThreads, readMessages, readEvents, readHead, listKeys]) {
      const refused = await visitor.ask(operation, { id: 'x' })
      expect([refused.status, refused.headers.get('www-authenticate')], operation.id).toEqual([401, 'Bearer'])
    }
    expect((await visitor.ask(createThread, { body: {} })).status).toBe(401)
  })
})
