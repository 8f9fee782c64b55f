import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@/testing/runner/repo-root'
import { EventStream } from '../support/event-stream'
import { expect, test } from '../support/test'
import { ThreadApi } from '../support/thread-api'

// The commands and reads of threads as a script uses them, over HTTP, against the built server.

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

test('the walk-through of the README does what it says', async ({ baseURL }) => {
  const readme = readFileSync(path.join(repoRoot, 'README.md'), 'utf8')
  const [, script = ''] = /### API walk-through\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
  expect(script).toContain('fork-thread')

  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { ...process.env, RAMIFY: baseURL },
  })

  expect(stderr).toBe('')
  const [met, empty, forked, ...more] = stdout.trim().split('\n')
  expect(more).toEqual([])
  expect(met).toMatch(/devansh/i)
  expect(empty).not.toMatch(/devansh/i)
  expect(forked).toMatch(/your name is devansh/i)
})

test('a fork of a fork of a fork holds the messages up to its beginning, with and without /api in the address', async ({
  request,
}) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id: root, chat_id } = await api.create('Names')
  await api.talk(root, 'I am devansh')
  await api.talk(root, 'My favourite colour is green')
  expect((await api.events(root)).map(({ event_number }) => event_number)).toEqual(upTo(7))

  // given forks nested three deep: after the name, after more was said there, and before anything was
  const named = await api.fork(root, 4)
  expect(named).toMatch(/^branch-/)
  expect(await api.talk(named, 'what is my name')).toMatch(/devansh/i)
  expect(await api.talk(named, 'what is my favourite colour')).not.toMatch(/green/i)
  const deeper = await api.fork(named, 9)
  expect(await api.talk(deeper, 'what is my name')).toMatch(/devansh/i)
  const before = await api.fork(deeper, 1)
  expect(await api.talk(before, 'what is my name')).not.toMatch(/devansh/i)

  // then each reads as one sequence
  for (const thread of [root, named, deeper, before]) {
    const numbers = (await api.events(thread)).map(({ event_number }) => event_number)
    expect(numbers).toEqual(upTo(numbers.length))
    for (const read of ['messages', 'events', 'branches', 'head']) {
      expect((await api.get(`/threads/${thread}/${read}`)).text).toBe(
        (await api.get(`/api/threads/${thread}/${read}`)).text,
      )
    }
  }
  expect((await api.messages(deeper)).map(({ event_number, role }) => [event_number, role])).toEqual([
    [2, 'user'],
    [3, 'assistant'],
    [7, 'user'],
    [8, 'assistant'],
    [12, 'user'],
    [13, 'assistant'],
  ])
  // and the lists name each thread's parent
  const { body } = await api.get('/threads')
  expect((await request.get('/health')).status()).toBe(200)
  expect(body.threads.map(({ thread_id }: { thread_id: string }) => thread_id)).toEqual([
    before,
    deeper,
    named,
    root,
  ])
  expect(body.threads[0]).toMatchObject({
    chat_id,
    parent_thread_id: deeper,
    from_event_number: 1,
    title: 'Names',
  })
  const { branches } = (await api.get(`/threads/${root}/branches`)).body
  expect(branches.map(({ thread_id }: { thread_id: string }) => thread_id)).toEqual([named])
})

test('a fork between a message and its reply ends on the message and stays idle', async ({ request }) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id } = await api.create()
  await api.talk(thread_id, 'Hello')
  const fork = await api.fork(thread_id, 2)
  await api.talk(thread_id, 'And on the first one the talk goes on')
  expect(await api.messages(fork)).toHaveLength(1)
  const { body } = await api.get(`/threads/${fork}/head`)
  expect(body).toMatchObject({ status: 'idle', event_number: 4, checkpoint_id: null })
  expect(body.head_message_id).toBe((await api.get(`/threads/${fork}/messages`)).body.messages[0].message_id)
})

test('fifty sends under one key are one message; another body or another command under it is refused', async ({
  request,
}) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id } = await api.create()
  const once = { 'idempotency-key': 'send-1' }
  const body = { thread_id, content: 'Once' }

  const answers = await Promise.all(upTo(50).map(() => api.post('/api/commands/send-message', body, once)))

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  await api.settled(thread_id)
  expect(await api.messages(thread_id)).toHaveLength(2)
  // and the same fields in another order are the same command
  const again = await api.post('/commands/send-message', { content: 'Once', thread_id }, once)
  expect(again.text).toBe(answers[0]?.text)
  for (const [address, other] of [
    ['/api/commands/send-message', { ...body, content: 'Twice' }],
    ['/api/commands/create-thread', {}],
  ] as const) {
    const refused = await api.post(address, other, once)
    expect([refused.status, refused.body.code]).toEqual([409, 'idempotency_mismatch'])
  }
  for (const bad of ['', 'x'.repeat(256), 'é']) {
    const refused = await api.post('/api/commands/create-thread', {}, { 'idempotency-key': bad })
    expect(refused.status, bad).toBe(400)
  }
  expect(await api.messages(thread_id)).toHaveLength(2)
})

test('of twenty writers who expect the same version one is accepted; while a reply is written none is', async ({
  request,
}) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id } = await api.create()
  const send = (content: string, expected_version?: number) =>
    api.post('/commands/send-message', {
      thread_id,
      content,
      ...(expected_version === undefined ? {} : { expected_version }),
    })

  const outcomes = await Promise.all(upTo(20).map((i) => send(`count to ${200 + i}`, 1)))

  expect(outcomes.filter(({ status }) => status === 202)).toHaveLength(1)
  const refused = outcomes.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(19)
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['expected_version']))
  const second = await send('And me?')
  expect([second.status, second.body.code]).toEqual([409, 'reply_in_progress'])
  await api.settled(thread_id)
  expect(await api.messages(thread_id)).toHaveLength(2)
})

test('a stream of events goes on as things happen, and resumes anywhere without a gap or a repetition', async ({
  request,
  baseURL,
}) => {
  const api = await new ThreadApi(request).signIn()
  const { thread_id } = await api.create()
  const { key } = (await api.post('/api/keys', { name: 'watcher' })).body
  const authorization = `Bearer ${key}`
  const url = `${baseURL}/threads/${thread_id}/events`

  const stream = await EventStream.open(url, { authorization })
  expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
  expect((await stream.next()).event).toBe('ThreadCreated')
  // given a listener, when things happen, then the listener is told
  await api.talk(thread_id, 'Hello')
  await api.talk(thread_id, 'count to 5')
  const lived = await stream.take(6)
  await stream.leave()
  expect(lived.map(({ event }) => event)).toEqual([
    ...['UserMessageAdded', 'LLMResponseGenerated', 'CheckpointCreated'],
    ...['UserMessageAdded', 'LLMResponseGenerated', 'CheckpointCreated'],
  ])

  // given a fork, whose stream is what it inherits and what it says itself, cut after every event
  const fork = await api.fork(thread_id, 4)
  await api.talk(fork, 'what now')
  const all = (await api.get(`/threads/${fork}/events`)).body.events
  const seen = []
  for (let last = 0; last < all.length; last++) {
    const headers = { authorization, ...(last > 0 ? { 'last-event-id': `${last}` } : {}) }
    const resumed = await EventStream.open(`${baseURL}/api/threads/${fork}/events?after=0`, headers)
    const next = await resumed.next()
    expect(next.id).toBe(last + 1)
    seen.push(next.data)
    await resumed.leave()
  }
  expect(seen).toEqual(all)
  for (const [query, headers] of [
    ['', { 'last-event-id': 'abc' }],
    ['?after=-1', {}],
  ] as const) {
    const refused = await fetch(`${url}${query}`, {
      headers: { accept: 'text/event-stream', authorization, ...headers },
    })
    expect(refused.status).toBe(400)
  }
})

test('a chat that was made by commands opens in the browser like any other', async ({ page, chat }) => {
  const api = await new ThreadApi(page.request).signIn()
  const { thread_id, chat_id } = await api.create('Made by a script')
  await api.talk(thread_id, 'I am devansh')
  await chat.open(`/c/${chat_id}`)
  await expect(page).toHaveTitle(/Made by a script/)
  await chat.ask('what is my name')
  await expect(chat.lastReply()).toContainText(/devansh/i)
  // and what is said in the browser, the script reads
  expect((await api.messages(thread_id)).map(({ content }) => content)[2]).toBe('what is my name')

  // one without a title is called what the list calls it, by the server already
  const { chat_id: bare } = await api.create()
  const answer = await page.request.get(`/c/${bare}`)
  expect(await answer.text()).toContain('<title>Untitled chat · Ramify</title>')
})
