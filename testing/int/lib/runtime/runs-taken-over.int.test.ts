// Replies whose process is gone, asleep or not there yet, and those who take them over.

import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import type { RunRecord } from '@/lib/context'
import { type Ports, runTurn, stopReply, takeOverRuns } from '@/lib/conversations'
import { newId } from '@/lib/events'
import { createWorker, type Services } from '@/lib/runtime/services'
import { textOf } from '@/testing/machines/openai-server'
import { adaThreads } from '@/testing/worlds/ada-threads'
import { words } from '@/testing/worlds/follower'
import { heldTransaction, untilEndedOrWaiting } from '@/testing/worlds/held-transaction'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import {
  ask,
  beginTurn,
  followChat,
  givenProcesses,
  linesOf,
  openBeside,
  openPage,
  queueQuestions,
  takeTurn,
} from '@/testing/worlds/turn-world'

onServedDatabase('a reply that has lost its writer', ({ name }) => {
  const { world, here, there } = givenProcesses(name, { RAMIFY_LEASE_MS: '1000' })
  let open = Promise.withResolvers<void>()
  afterEach(() => open.resolve())

  /** The ports of a process whose clock runs ahead: its patience is short. */
  const hasty = ({ ports }: Services): Ports => {
    let now = Date.now()
    return { ...ports, clock: () => (now += 500) }
  }

  /** A run in its `attempt`-th attempt whose holders have died, each after having logged something. */
  async function abandon(chatId: string, said: readonly string[]) {
    const { run } = await queueQuestions(here, ['Are you there?'], { chatId })
    for (const text of said) {
      const [held] = (await here.ports.runs.claim(1000, { total: 1 })).runs
      expect(held?.runId).toBe(run.runId)
      if (held && text !== '') await log(held, text)
      const died = `update runs set lease_until = now() - interval '1 minute' where id = $1`
      await here.database.query(died, [run.runId])
    }
    return run
  }
  const log = (held: RunRecord, text: string) =>
    here.ports.log.append([{ ...held, number: 0, parts: spoken(held.replyId, text) }])
  const spoken = (messageId: string, delta: string) => [
    { type: 'start' as const, messageId },
    { type: 'start-step' as const },
    { type: 'text-start' as const, id: 't' },
    { type: 'text-delta' as const, id: 't', delta },
  ]

  it('given three attempts that died, when it is taken over, then it has failed and the longest of them is kept', async () => {
    // given
    const chatId = newId()
    await abandon(chatId, [words(2), words(5), words(3)])
    const late = await followChat(there, chatId)
    await late.untilWords(3)
    const before = world.provider.requests.length
    // when
    const { taken, ended } = await takeOverRuns(here.ports)
    await Promise.all([ended, late.rest()])
    // then
    expect(taken).toBe(1)
    expect(world.provider.requests.length).toBe(before)
    expect(await linesOf(there, chatId)).toEqual(['user: Are you there?', `assistant: ${words(5)} [failed]`])
    const { window } = await openPage(there, chatId)
    const error = { kind: 'interrupted', message: 'The reply was interrupted 3 times.' }
    expect(window.messages[1]?.metadata?.error).toMatchObject(error)
    expect(late.text).toBe(words(5))
    expect(late.parts.slice(-2).map((part) => part.type)).toEqual(['data-graph', 'error'])
    // and the next message works
    world.answer = () => 'Here I am.'
    await takeTurn(there, { chatId, text: 'Now?' })
    expect((await linesOf(here, chatId)).at(-1)).toBe('assistant: Here I am.')
  })

  it('given three attempts that died before a word, then it has failed and says so', async () => {
    const chatId = newId()
    await abandon(chatId, ['', '', ''])
    await (await takeOverRuns(here.ports)).ended
    const { graph, window } = await openPage(there, chatId)
    expect(window.messages).toHaveLength(1)
    expect(graph.runs).toEqual([])
    expect(graph.branches[0]?.failure?.kind).toBe('interrupted')
  })

  it.each([
    ['one of those who stop it', true],
    ['the process that takes it over', false],
  ])('given a stop while its holder is gone, then %s keeps what was said', async (_who, patient) => {
    // given
    const chatId = newId()
    const run = await abandon(chatId, [words(4)])
    const late = await followChat(there, chatId)
    await late.untilWords(4)
    const before = world.provider.requests.length
    // when
    if (patient) {
      const request = { ownerId: 'ada', chatId, runId: run.runId }
      const all = [here, there, here, there].map((services) => stopReply(hasty(services), request))
      for (const answer of await Promise.all(all)) {
        expect(answer).toEqual({ status: 'stopped', messageId: run.replyId })
      }
    } else {
      await there.ports.runs.requestStop(chatId, run.runId)
      await (await takeOverRuns(here.ports)).ended
    }
    await late.rest()
    // then
    expect(await linesOf(here, chatId)).toEqual(['user: Are you there?', `assistant: ${words(4)} [stopped]`])
    expect((await openPage(here, chatId)).window.messages[1]?.parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: words(4), state: 'done' },
    ])
    expect(late.text).toBe(words(4))
    expect(late.parts.at(-1)?.type).toBe('abort')
    expect(world.provider.requests.length).toBe(before)
    expect((await takeOverRuns(here.ports)).taken).toBe(0)
  })

  // an embedded database has no other writer
  if (name === 'postgres')
    it('given a run that another transaction is writing, when it is taken to be stopped, then that waits and takes it', async () => {
      // given
      const chatId = newId()
      const { runId } = (await queueQuestions(here, ['Anybody?'], { chatId })).run
      const written = await heldTransaction(here.database, (tx) =>
        tx.execute(sql`update runs set attempt = attempt where id = ${runId}`),
      )
      // when
      const seized = there.ports.runs.seize(chatId, runId, 1000)
      await untilEndedOrWaiting(here.database, seized)
      await written()
      // then
      expect(await seized).toMatchObject({ runId, status: 'running' })
      await here.store.deleteChat(chatId)
    })

  it('given a question to an unknown model, then it fails at once, and says why', async () => {
    const chatId = newId()
    const { run } = await queueQuestions(here, ['Are you there?'], { chatId, model: 'openai:gone' })
    await (await takeOverRuns(here.ports)).ended
    const { graph } = await openPage(there, chatId)
    expect(graph.runs).toEqual([])
    expect(graph.branches.find(({ id }) => id === run.branchId)?.failure?.message).toContain('gone')
  })

  it('given a message that was sent under the id of a reply being written, then that reply has failed, and the next one comes', async () => {
    // given
    const chatId = newId()
    open = Promise.withResolvers<void>()
    world.answer = () => ({ text: words(6), pace: (sent) => (sent === 3 ? open.promise : undefined) })
    const { follower: reader, ended } = await beginTurn(here, { chatId, text: 'One' })
    await reader.untilWords(3)
    const { replyId, userMessageId } = reader.run
    const branchId = newId()
    await here.store.commit({
      chatId,
      ownerId: 'ada',
      at: Date.now(),
      steps: [openBeside(branchId, userMessageId)],
    })
    const other = await runTurn(here.ports, ask({ chatId, branch: branchId, text: 'Two', id: replyId }))
    // when
    open.resolve()
    await Promise.all([other.ended, ended, reader.rest()])
    // then
    const { graph } = await openPage(here, chatId, 'main')
    expect(graph.runs).toEqual([])
    const { failure } = graph.branches.find(({ name }) => name === 'main') ?? {}
    expect(failure?.message).toContain('another message has its id')
    world.answer = () => 'Here I am.'
    const again = { trigger: 'regenerate-message', messageId: userMessageId } as const
    await takeTurn(here, { chatId, branch: 'main', ...again })
    expect((await linesOf(here, chatId, 'main')).at(-1)).toBe('assistant: Here I am.')
  })

  it('given a process that slept through its lease, when a reader follows there a reply that another process continues, then they have its words as they come', async () => {
    const chatId = newId()
    const run = await abandon(chatId, [words(2, 'old')])
    const slept = here.ports.live.open({ ...run, chatId, attempt: 1 })
    for (const part of spoken(run.replyId, words(2, 'old'))) slept.push(part)
    const [held] = (await here.ports.runs.claim(60_000, { total: 1 })).runs
    if (!held) throw new Error('Nothing to take over')
    await log(held, words(3))
    const late = await followChat(here, chatId)
    await late.untilWords(2)
    // when it learns that the run is not its own any more
    slept.end('lost')
    // then
    await late.untilWords(3)
    expect(late.text).toBe(words(3))
    await late.leave()
    await here.store.deleteChat(chatId)
  })

  it('given a reply that was taken over, when a reader follows it where it is written, then they learn of its run first', async () => {
    // given
    const chatId = newId()
    open = Promise.withResolvers<void>()
    world.answer = () => ({ text: words(6), pace: (sent) => (sent === 3 ? open.promise : undefined) })
    const run = await abandon(chatId, [words(2, 'old')])
    const { ended } = await takeOverRuns(here.ports)
    // when
    for (const services of [here, there]) {
      const late = await followChat(services, chatId)
      await late.untilWords(3)
      // then
      expect(late.parts[0]?.type).toBe('data-run')
      expect(late.run).toMatchObject({ runId: run.runId, replyId: run.replyId, status: 'running' })
      expect(late.text).toBe(words(3))
      await late.leave()
    }
    open.resolve()
    await ended
    expect((await linesOf(there, chatId)).at(-1)).toBe(`assistant: ${words(6)}`)
  })
})

onServedDatabase('the workers of two processes', ({ name }) => {
  // a reply that is only slow to come is not taken over
  const { world, here, there } = givenProcesses(name, { RAMIFY_LEASE_MS: '20000' })

  it('given questions that wait and others that are sent to either process, when the workers of both look for them, then each has one reply', async () => {
    // given
    world.answer = ({ messages }) => `Reply to ${textOf(messages.at(-1) ?? { role: '' })}`
    const before = world.provider.requests.length
    const waiting = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => queueQuestions(here, [`${n}, one`, `${n}, two`])),
    )
    const workers = [here, there].map((services) => createWorker(services).start())
    // when
    const sent = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const ada = adaThreads(n % 2 ? here : there)
        const { chat_id: chatId, thread_id } = await ada.create()
        await ada.send(thread_id, `Message ${n}`)
        return { chatId }
      }),
    )
    const live = `select 1 from runs where status in ('queued', 'running') limit 1`
    await expect.poll(() => here.database.query(live), { timeout: 20_000 }).toEqual([])
    await Promise.all(workers.map((worker) => worker.stop()))
    // then no model was asked twice
    expect(world.provider.requests.length - before).toBe(12 + 30)
    for (const { chatId } of [...waiting, ...sent]) {
      for (const { id } of await here.store.listBranches(chatId)) {
        const [question = '', ...replies] = await linesOf(there, chatId, id)
        expect(replies).toEqual([question.replace('user: ', 'assistant: Reply to ')])
      }
    }
  })
})
