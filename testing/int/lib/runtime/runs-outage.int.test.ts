// A process that loses its database, or is asleep, while it writes a reply. Its connections go through a proxy that can
// be disturbed; all others are connected directly.

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createThread, type Ports, sendMessage, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { createWorker, type Services } from '@/lib/runtime/services'
import type { Worker } from '@/lib/worker/worker'
import type { ScriptedReply } from '@/testing/machines/openai-server'
import { startTcpProxy, type TcpProxy } from '@/testing/machines/tcp-proxy'
import { words } from '@/testing/worlds/follower'
import { onPostgres } from '@/testing/worlds/open-stores'
import {
  beginTurn,
  followChat,
  linesOf,
  openPage,
  openTurnWorld,
  type TurnWorld,
  takeTurn,
} from '@/testing/worlds/turn-world'

const LEASE = 1000

onPostgres('a reply whose process loses its database', () => {
  let world: TurnWorld
  let proxy: TcpProxy
  let here: Services
  let there: Services
  let open: PromiseWithResolvers<void>
  let workers: Worker[] = []
  /** what the disturbed process has logged since the test began */
  let logged: string[]

  beforeAll(async () => {
    world = await openTurnWorld('postgres')
    there = await world.process({ RAMIFY_LEASE_MS: String(LEASE) })
    proxy = await startTcpProxy(world.url ?? '')
    here = await world.process({
      DATABASE_URL: proxy.through(world.url ?? ''),
      RAMIFY_LEASE_MS: String(LEASE),
    })
  })
  beforeEach(() => {
    logged = []
  })
  afterEach(async () => {
    open?.resolve()
    proxy.set('open')
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
  })
  afterAll(async () => {
    await world?.close()
    await proxy?.close()
  })

  const disturbed = (): Ports => ({ ...here.ports, logError: (what) => logged.push(what) })
  const work = (services: Services) => workers.push(createWorker(services).start())
  /** The provider says `text` and holds its breath after `count` chunks, the first time it is asked; then `other`. */
  const holdAt = (count: number, text: string, other: ScriptedReply = text) => {
    open = Promise.withResolvers<void>()
    const held = open.promise
    let asked = 0
    world.answer = () =>
      asked++ === 0 ? { text, pace: (sent) => (sent === count ? held : undefined) } : other
  }
  const begin = (chatId: string) => beginTurn({ ports: disturbed() }, { chatId, text: 'Count' })
  const follow = (chatId: string) => followChat(there, chatId)
  const parts = (runId: string) =>
    there.database.query<{ attempt: number }>(
      'select attempt, number, parts from run_parts where run_id = $1 order by 1, 2',
      [runId],
    )
  /** Then the whole reply is stored, once. */
  const isStoredOnce = async (chatId: string) => {
    expect(await linesOf(there, chatId)).toEqual(['user: Count', `assistant: ${words(20)}`])
    expect((await openPage(there, chatId)).graph.nodes).toHaveLength(2)
  }
  const leaseIsOver = async (runId: string) => {
    const sql = 'select 1 from runs where id = $1 and lease_until < clock_timestamp()'
    return (await there.database.query(sql, [runId])).length === 1
  }

  it.each([
    ['is still writing', false],
    ['is done', true],
  ])(
    'given a holder cut off for longer than its lease, when it is back while the other %s, then it writes nothing',
    async (_when, done) => {
      // given
      const chatId = newId()
      const openOther = Promise.withResolvers<void>()
      const pace = (sent: number) => (sent === 2 && !done ? openOther.promise : undefined)
      holdAt(3, words(20), { text: words(6, 'new'), pace })
      const { follower, ended } = await begin(chatId)
      const late = await follow(chatId)
      await Promise.all([follower.untilWords(3), late.untilWords(3)])
      const { runId, replyId } = late.run
      const before = await parts(runId)
      proxy.set('frozen')
      const asleep = performance.now()
      work(there)
      await late.until(() => late.runs.length > 1, 'the reply began anew')
      const tookOver = performance.now() - asleep
      await (done ? late.rest() : late.untilWords(2))
      // when all it has to say is on its way to the database
      open.resolve()
      await follower.until(() => follower.text === words(20), 'all of it')
      proxy.set('open')
      await ended
      // then
      expect(tookOver).toBeLessThan(LEASE + 5000)
      expect((await parts(runId)).filter(({ attempt }) => attempt === 1)).toEqual(before)
      const reply = `assistant: ${words(6, 'new')}`
      expect(await linesOf(there, chatId)).toEqual(done ? ['user: Count', reply] : ['user: Count'])
      openOther.resolve()
      await Promise.all([follower.rest(), late.rest()])
      expect(await linesOf(here, chatId)).toEqual(['user: Count', reply])
      expect((await openPage(there, chatId)).graph.nodes).toHaveLength(2)
      // and both readers have the same reply, begun anew, and the news that it is stored
      for (const reader of [follower, late]) {
        expect(reader.text).toBe(words(6, 'new'))
        expect(reader.messageIds).toEqual([replyId])
        expect(reader.runs.length).toBeGreaterThan(1)
        const [graph, last] = reader.parts.slice(-2)
        expect(last?.type).toBe('finish')
        const data = { nodes: [{ id: replyId }], endedRuns: [runId] }
        expect(graph).toMatchObject({ type: 'data-graph', data })
      }
    },
  )

  /** A reply whose process is away from its database from before its last word until its lease is over. */
  const awayAtTheEnd = async () => {
    const chatId = newId()
    holdAt(19, words(20), 'Said anew.')
    const { follower, ended } = await begin(chatId)
    await follower.untilWords(19)
    proxy.set('closed')
    open.resolve()
    await expect.poll(() => leaseIsOver(follower.run.runId)).toBe(true)
    return { chatId, follower, ended }
  }

  it.each([
    ['when it is back, then the reply is stored, once', false],
    ['when its own worker comes first then, then the reply is left alone', true],
  ])('given a database that is away when the reply is over, %s', async (_then, isWorking) => {
    const { chatId, follower, ended } = await awayAtTheEnd()
    expect(logged.filter((what) => what.startsWith('storing a reply'))).toHaveLength(1)
    // nothing of it is there meanwhile
    expect(await linesOf(there, chatId)).toEqual(['user: Count'])
    // when
    proxy.set('open')
    if (isWorking) work(here)
    await Promise.all([follower.rest(), ended])
    // then
    await isStoredOnce(chatId)
    expect(follower.text).toBe(words(20))
    expect(follower.runs).toHaveLength(1)
    expect(follower.parts.at(-1)?.type).toBe('finish')
  })

  it('given a database that is away when a queued reply looks its model up, when it is back, then the reply is written as if nothing was', async () => {
    // given a thread whose next reply waits for a worker
    world.answer = () => 'Noted.'
    const thread = await createThread(there.ports, { ownerId: 'ada' })
    const chatId = thread.chat_id
    await takeTurn(there, { chatId, text: 'Begin' })
    await sendMessage(there.ports, { ownerId: 'ada', threadId: thread.thread_id, content: 'Count' })
    const cold = await world.process({ DATABASE_URL: proxy.through(world.url ?? '') })
    // when
    const lost = proxy.closeAt('join chats c on c.user_id = k.user_id')
    const { ended } = await takeOverRuns(cold.ports, 1)
    await lost
    proxy.set('open')
    await ended
    // then
    expect(await linesOf(there, chatId)).toEqual([
      ...['user: Begin', 'assistant: Noted.', 'user: Count', 'assistant: Noted.'],
    ])
  })

  it('given a turn whose chain cannot be read, when it can be again, then its reply is written', async () => {
    const chatId = newId()
    world.answer = () => 'Noted.'
    await takeTurn(there, { chatId, text: 'Begin' })
    const lost = vi.spyOn(there.ports.store, 'getMessageChain')
    lost.mockRejectedValueOnce(new Error('CONNECTION_CLOSED'))
    // when
    await takeTurn(there, { chatId, text: 'Count' })
    // then
    expect(lost).toHaveBeenCalledTimes(2)
    lost.mockRestore()
    expect((await linesOf(there, chatId)).slice(2)).toEqual(['user: Count', 'assistant: Noted.'])
  })

  it('given a reply that was stored, when the answer to that is lost, then it is stored once and its readers have it', async () => {
    // given
    const chatId = newId()
    holdAt(20, words(20))
    const { follower, ended } = await begin(chatId)
    await follower.untilWords(20)
    const late = await follow(chatId)
    await late.untilWords(20)
    // when
    const lost = proxy.closeAt('"do":"end"')
    open.resolve()
    await lost
    proxy.set('open')
    await Promise.all([follower.rest(), late.rest(), ended])
    // then
    await isStoredOnce(chatId)
    for (const reader of [follower, late]) {
      expect(reader.text).toBe(words(20))
      expect(reader.messageIds).toEqual([reader.run.replyId])
      expect(reader.parts.at(-1)?.type).toBe('finish')
    }
  })
})
