// Replies of several persons at once: how many of each, in which order, and what those see that wait.

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ReplyInProgressError } from '@/lib/context'
import { createThread, followReply, sendMessage, stopReply, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { createWorker, type Services } from '@/lib/runtime/services'
import type { Worker } from '@/lib/worker/worker'
import { type ChatRequest, textOf } from '@/testing/machines/openai-server'
import { Follower } from '@/testing/worlds/follower'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { addPerson, beginTurn, givenProcesses, MODEL, queueQuestions } from '@/testing/worlds/turn-world'

/** Replies of one person at the same time. */
const MOST = 3
/** More than a worker takes at once. */
const WAITING = 70

onServedDatabase('replies of several persons at once', ({ name }) => {
  const { world, here, there } = givenProcesses(name, {
    RAMIFY_DEFAULT_MODEL: MODEL,
    OPENAI_API_KEY: '',
    RAMIFY_LEASE_MS: '20000',
    RAMIFY_REPLIES_PER_PERSON: String(MOST),
  })
  let open = Promise.withResolvers<void>()
  const workers: Worker[] = []

  beforeAll(async () => {
    for (const id of ['bob', 'mallory']) await addPerson(here, id)
  })
  beforeEach(() => {
    open = Promise.withResolvers()
    world.answer = (request) =>
      lastOf(request).startsWith('hello')
        ? 'Hello there.'
        : { text: 'Done at last.', pace: () => open.promise }
  })
  afterEach(async () => {
    open.resolve()
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    // whatever a test has left queued
    for (let more = true; more; ) {
      const { ended, taken } = await takeOverRuns(here.ports)
      await ended
      more = taken > 0
    }
  })

  const lastOf = ({ messages }: ChatRequest) => textOf(messages.at(-1) ?? { role: 'user' })
  const startWorker = (services: Services) => workers.push(createWorker(services).start())
  /** A turn whose reader has heard the first of it. */
  const begun = async (ownerId: string, chatId: string, text: string, services = here) => {
    const { follower } = await beginTurn(services, { ownerId, chatId, text })
    await follower.next()
    return follower
  }
  /** As many replies of a person as may be, none of which ends yet. */
  const busy = (ownerId: string) =>
    Promise.all(Array.from({ length: MOST }, () => begun(ownerId, newId(), 'work')))
  /** Messages that are sent by command, each to a thread of its own. */
  async function send(ownerId: string, texts: readonly string[], services = here) {
    const chats: string[] = []
    for (const content of texts) {
      const { chat_id: chatId, thread_id: threadId } = await createThread(services.ports, { ownerId })
      await sendMessage(services.ports, { ownerId, threadId, content })
      chats.push(chatId)
    }
    return chats
  }
  /** As many messages sent as these. */
  const works = (count: number) => Array.from({ length: count }, (_, i) => `work ${i}`)
  /** The processes of all replies being written have died long ago. */
  const abandon = () =>
    here.database.query(`update runs set lease_until = now() - interval '1 hour' where status = 'running'`)
  const statuses = (ownerId: string) =>
    here.database.query<{ status: string; count: number }>(
      `select r.status, count(*)::int as count from runs r join chats c on c.id = r.chat_id
      where c.user_id = $1 and r.status in ('queued', 'running') group by 1 order by 1`,
      [ownerId],
    )

  it("given one person's messages that wait for a reply, when another sends one, then it is answered while they are still being written", async () => {
    // given
    await queueQuestions(here, works(WAITING), { ownerId: 'mallory' })
    startWorker(here)
    const line = [
      { status: 'queued', count: WAITING - MOST },
      { status: 'running', count: MOST },
    ]
    await expect.poll(() => statuses('mallory')).toEqual(line)
    // when
    const [chatId = ''] = await send('ada', ['hello'])
    const stream = await followReply(here.ports, { ownerId: 'ada', chatId })
    const answered = stream && (await new Follower(stream).rest())
    // then
    expect(answered?.text).toBe('Hello there.')
    expect(await statuses('mallory')).toEqual(line)
    // and all of the others are answered in the end
    open.resolve()
    await expect.poll(() => statuses('mallory'), { timeout: 20_000 }).toEqual([])
  })

  it('given replies of one person that two workers write, then never more than so many are written at once, and all of them are', async () => {
    // given
    let [now, most, asked] = [0, 0, 0]
    const full = Promise.withResolvers<void>()
    world.answer = () => {
      now++
      asked++
      most = Math.max(most, now)
      // the first replies end only once as many are written as may be
      if (now === MOST) full.resolve()
      const over = () => full.promise.then(() => void now--)
      return { text: 'One two three.', delayMs: 5, pace: (sent) => (sent === 3 ? over() : undefined) }
    }
    await queueQuestions(here, works(20), { ownerId: 'mallory' })
    // when
    startWorker(here)
    startWorker(there)
    await expect.poll(() => statuses('mallory'), { timeout: 20_000 }).toEqual([])
    // then
    expect({ most, asked }).toEqual({ most: MOST, asked: 20 })
  })

  it('given runs of several persons, when some are taken, then each person has a turn before any person has two, the oldest first, also when their processes die', async () => {
    const chats = await send('mallory', works(5))
    await send('ada', ['hello 1', 'hello 2'])
    await send('bob', ['hello 3'])
    const claim = (total: number, general = total) =>
      there.ports.runs.claim(60_000, { total, general, few: 2, perPerson: MOST })
    const owners = async (...[total, general]: Parameters<typeof claim>) =>
      (await claim(total, general)).runs.map(({ ownerId }) => ownerId)
    expect(await owners(4)).toEqual(['mallory', 'ada', 'bob', 'mallory'])
    // the places that are left are for persons with fewer than two
    expect(await owners(10, 0)).toEqual(['ada'])
    expect(await owners(10)).toEqual(['mallory'])
    expect(await claim(10)).toEqual({ runs: [], waiting: 2 })
    await abandon()
    // all are taken over, and no more
    const { runs, waiting } = await claim(10)
    const attempts = runs.flatMap(({ ownerId, chatId, attempt }) =>
      ownerId === 'mallory' ? [[chatId, attempt]] : [],
    )
    expect(attempts).toEqual(chats.slice(0, MOST).map((chatId) => [chatId, 2]))
    expect([runs.length, waiting]).toEqual([6, 2])
    await abandon()
  })

  describe.each(['a worker in this process', 'no worker at all'])('with %s', (who) => {
    beforeEach(() => void (who === 'no worker at all' || startWorker(here)))

    it('given a person with as many replies as may be, when they send another message, then it is stored, says that it waits, and begins when one ends', async () => {
      // given
      const inLine = { status: 'queued', waiting: { for: 'person', writing: MOST } }
      const ends: PromiseWithResolvers<void>[] = []
      world.answer = () => {
        const end = Promise.withResolvers<void>()
        ends.push(end)
        return { text: 'Done at last.', pace: () => end.promise }
      }
      const first = await busy('mallory')
      await expect.poll(() => ends.length).toBe(MOST)
      const chatId = newId()
      // when
      const waiting = await begun('mallory', chatId, 'one more')
      // then
      expect(waiting.run).toMatchObject(inLine)
      // and another tab, another message and the graph know it as live
      const tab = await followReply(there.ports, { ownerId: 'mallory', chatId })
      const second = tab && new Follower(tab)
      await second?.next()
      expect(second?.run).toMatchObject(inLine)
      await expect(begun('mallory', chatId, 'and one')).rejects.toThrow(ReplyInProgressError)
      expect((await here.ports.reads.graph(chatId, 'mallory'))?.runs).toHaveLength(1)
      // when one ends
      ends[0]?.resolve()
      await expect.poll(() => ends.length).toBe(MOST + 1)
      for (const end of ends) end.resolve()
      await Promise.all([waiting.rest(), second?.rest(), ...first.map((one) => one.rest())])
      // then
      expect(waiting.runs.map(({ status }) => status)).toEqual(['queued', 'running'])
      expect([waiting.text, second?.text]).toEqual(['Done at last.', 'Done at last.'])
      const last = waiting.parts.findLast(({ type }) => type === 'data-graph')
      const { nodes } = (last && 'data' in last ? last.data : {}) as GraphDelta
      const said = nodes?.map(({ role, preview }) => `${role}: ${preview}`)
      expect(said).toEqual(['user: one more', 'assistant: Done at last.'])
    })

    it('given a reply that waits, when it is stopped, then its readers are told and no model is asked', async () => {
      const first = await busy('mallory')
      const chatId = newId()
      const waiting = await begun('mallory', chatId, `one more ${chatId}`)
      const { runId } = waiting.run
      const stopped = await stopReply(here.ports, { ownerId: 'mallory', chatId, runId })
      expect(stopped).toEqual({ status: 'stopped', messageId: null })
      await waiting.rest()
      expect(waiting.parts.at(-1)?.type).toBe('abort')
      open.resolve()
      await Promise.all(first.map((one) => one.rest()))
      expect(await statuses('mallory')).toEqual([])
      expect(world.provider.requests.map(lastOf)).not.toContain(`one more ${chatId}`)
    })

    it('given a reply that waits, when its chat is deleted, then its stream ends and its place in line is free again', async () => {
      const first = await busy('mallory')
      const chatId = newId()
      const waiting = await begun('mallory', chatId, 'one more')
      await here.store.deleteChat(chatId)
      await waiting.rest()
      const next = await begun('mallory', newId(), 'and one')
      open.resolve()
      await Promise.all([next.rest(), ...first.map((one) => one.rest())])
      expect(next.text).toBe('Done at last.')
    })
  })

  it('given a process without a worker, when another process takes what waits in its line, then the reader has that reply', async () => {
    const first = await busy('mallory')
    const waiting = await begun('mallory', newId(), 'one more')
    // its own replies end meanwhile; the first process to take the run has it
    startWorker(there)
    open.resolve()
    await Promise.all([waiting.rest(), ...first.map((one) => one.rest())])
    expect(waiting.text).toBe('Done at last.')
    expect(await statuses('mallory')).toEqual([])
  })
})
