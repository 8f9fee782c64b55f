// A person's messages that are asked again on a branch of their own: on the server, one after the other.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageText, NotFoundError } from '@/lib/context'
import {
  archiveBranch,
  changeContext,
  driveDue,
  previewReplay,
  readChatUsage,
  readContext,
  readReplays,
  replayThread,
  runTurn,
  startReplay,
  steerReplay,
  takeOverRuns,
} from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createWorker, type Services } from '@/lib/runtime/services'
import { checkDatabase } from '@/lib/store'
import { type ChatRequest, openAIErrors, textOf } from '@/testing/machines/openai-server'
import { Follower } from '@/testing/worlds/follower'
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { ask, lineOf, MODEL, openPage, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

const OTHER = 'openai-compatible:other'

onEachDatabase('a replay', ({ name }) => {
  let world: TurnWorld
  let here: Services
  let there: Services

  beforeAll(async () => {
    world = await openTurnWorld(name)
    const env = {
      ...{ RAMIFY_DEFAULT_MODEL: MODEL, OPENAI_COMPATIBLE_MODELS: 'scripted,other', OPENAI_API_KEY: '' },
      RAMIFY_LEASE_MS: '20000',
    }
    here = await world.process(env)
    there = await world.process(env)
    await here.database.orm.insert(schema.user).values({ id: 'eve', name: 'Eve', email: 'eve@example.org' })
  })
  afterAll(() => world?.close())
  beforeEach(() => {
    world.answer = (request) => replyTo(request)
  })
  afterEach(async () => {
    expect(await checkDatabase(here.database)).toEqual([])
  })

  const asked = ({ messages }: ChatRequest) => textOf(messages.at(-1) ?? { role: 'user' })
  const replyTo = (request: ChatRequest) => `${request.model} on ${asked(request)}`
  const say = async (chatId: string, text: string, more: Partial<Parameters<typeof ask>[0]> = {}) => {
    const { stream, ended } = await runTurn(here.ports, ask({ chatId, text, ...more }))
    await Promise.all([new Follower(stream).rest(), ended])
  }
  /** The lines of a branch, first to last. */
  async function linesOf(chatId: string, branch: string): Promise<string[]> {
    const found = await here.store.getBranchChain(chatId, branch)
    return (found?.chain ?? []).map(({ data }) => lineOf(data as Parameters<typeof lineOf>[0]))
  }
  /** A chat of so many turns: "q1", "q2" … and replies to them. */
  async function talked(turns: number) {
    const chatId = newId()
    for (let turn = 1; turn <= turns; turn++) await say(chatId, `q${turn}`)
    const { branchId, window } = await openPage(here, chatId)
    const messages = await here.store.getMessageChain(chatId, window.messages.at(-1)?.id ?? '')
    return { chatId, branchId, messages }
  }
  const start = (
    of: { chatId: string; branchId: string },
    more: Partial<Parameters<typeof startReplay>[1]> = {},
  ) =>
    startReplay(here.ports, {
      ...{ ownerId: 'ada', chatId: of.chatId, branchId: of.branchId, replayId: newId() },
      ...more,
    })
  /** Writes what is queued, and all that follows from it. */
  const work = async (services = here) => {
    await driveDue(services.ports)
    await (await takeOverRuns(services.ports)).ended
  }
  const steer = (chatId: string, replayId: string, action: 'pause' | 'resume' | 'stop') =>
    steerReplay(here.ports, { ownerId: 'ada', chatId, replayId, action })
  const only = async (chatId: string) => {
    const [replay] = (await readReplays(here.ports, { ownerId: 'ada', chatId })).replays
    if (!replay) throw new Error('There is no replay')
    return replay
  }
  const exchanged = (model: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => [
      `user: q${from + at}`,
      `assistant: ${model} on q${from + at}`,
    ]).flat()

  describe('from its first question to its last', () => {
    it('given twenty turns, when they are replayed with another model, then every question has one reply of it, in order', async () => {
      // given
      const source = await talked(20)
      const before = await linesOf(source.chatId, source.branchId)
      // when
      const begun = await start(source, { model: OTHER })
      expect(begun.delta.replays?.[0]).toMatchObject({ asked: 1, total: 20, status: 'running' })
      await work()
      // then
      expect(await linesOf(source.chatId, begun.branchId)).toEqual(exchanged('other', 1, 20))
      expect(await linesOf(source.chatId, source.branchId)).toEqual(before)
      expect(await only(source.chatId)).toMatchObject({
        ...{ replay_id: begun.replayId, thread_id: begun.branchId, source_thread_id: source.branchId },
        ...{ asked: 20, total: 20, replies: 20, status: 'done', reason: null, model: OTHER },
      })
      // each copy leads to what it is a copy of
      const { window } = await openPage(here, source.chatId, begun.branchId)
      const chain = await here.store.getMessageChain(source.chatId, window.messages.at(-1)?.id ?? '')
      const copies = chain.flatMap(({ name, copiedFromId }) => (name === 'user' ? [copiedFromId] : []))
      expect(copies).toEqual(source.messages.flatMap(({ name, id }) => (name === 'user' ? [id] : [])))
    })

    it('given a point in the middle and other words, then what stands before stays and the first question is the new one', async () => {
      const source = await talked(4)
      const third = source.messages.find(({ data }) => messageText(data) === 'q3')
      const begun = await start(source, { fromId: third?.id, content: 'q3, please', model: OTHER })
      await work()
      expect(await linesOf(source.chatId, begun.branchId)).toEqual([
        ...exchanged('scripted', 1, 2),
        ...['user: q3, please', 'assistant: other on q3, please', ...exchanged('other', 4, 4)],
      ])
      const chain = await here.store.getMessageChain(source.chatId, begun.messageId ?? '')
      expect(chain.at(-1)?.copiedFromId).toBeUndefined()
    })

    it('given the models’ prompts, then each is exactly what the new branch says above the question', async () => {
      const source = await talked(3)
      world.provider.requests.length = 0
      await start(source, { model: OTHER })
      await work()
      const prompts = world.provider.requests.map(({ messages }) =>
        messages.filter(({ role }) => role !== 'system').map((message) => textOf(message)),
      )
      expect(prompts).toEqual([
        ['q1'],
        ['q1', 'other on q1', 'q2'],
        ['q1', 'other on q1', 'q2', 'other on q2', 'q3'],
      ])
    })

    it('given a context that was changed since, then the original one is asked in, or the current one, as wished', async () => {
      const source = await talked(2)
      const at = { ownerId: 'ada', chatId: source.chatId, branch: source.branchId }
      const { context_id, fragments } = await readContext(here.ports, at)
      const pirate = { name: 'role', data: 'You are a pirate.', enabled: true }
      await changeContext(here.ports, {
        ...at,
        change: { expected_context_id: context_id, fragments: [...fragments, pirate] },
      })
      const systems = async (context: string | undefined) => {
        world.provider.requests.length = 0
        await start(source, { context })
        await work()
        return world.provider.requests.map(({ messages }) =>
          textOf(messages[0] ?? { role: 'system' }).includes('pirate'),
        )
      }
      expect(await systems(undefined)).toEqual([false, false])
      expect(await systems('original')).toEqual([false, false])
      expect(await systems('current')).toEqual([true, true])
      const now = await readContext(here.ports, at)
      expect(await systems(now.context_id ?? '')).toEqual([true, true])
    })

    it('given a start that is sent twice, then one replay has begun', async () => {
      const source = await talked(2)
      const replayId = newId()
      const [one, other] = [await start(source, { replayId }), await start(source, { replayId })]
      expect({ ...other, delta: null }).toEqual({ ...one, delta: null })
      await work()
      expect((await openPage(here, source.chatId)).graph.branches).toHaveLength(2)
    })

    it('given what it would come to, then nothing is written and the figures are those of its turns', async () => {
      const source = await talked(3)
      const { seq } = (await openPage(here, source.chatId)).graph
      const preview = await previewReplay(here.ports, { ownerId: 'ada', ...source, model: OTHER })
      expect(preview).toMatchObject({ turns: 3, model: OTHER, missing: [], cost_usd: null })
      expect(preview.input_tokens).toBeGreaterThan(preview.output_tokens)
      expect((await openPage(here, source.chatId)).graph.seq).toBe(seq)
    })
  })

  describe('as a command', () => {
    const once = (key: string, bodyHash = 'a') => ({ key, route: 'replay-thread', bodyHash })
    const command = (threadId: string, more: Partial<Parameters<typeof replayThread>[1]> = {}) =>
      replayThread(here.ports, { ownerId: 'ada', threadId, ...more })

    it('given a key, when the command is sent again, then it is one replay; with another body it is refused', async () => {
      const source = await talked(2)
      const key = newId()
      const first = await command(source.branchId, { once: once(key), model: OTHER })
      expect(first).toEqual({
        ...{ chat_id: source.chatId, thread_id: expect.any(String), event_number: 4 },
        ...{ message_id: expect.any(String), replay_id: expect.any(String) },
      })
      expect(await command(source.branchId, { once: once(key), model: OTHER })).toEqual(first)
      await expect(command(source.branchId, { once: once(key, 'b') })).rejects.toThrow('another request')
      await work()
      expect(await linesOf(source.chatId, first.thread_id)).toEqual(exchanged('other', 1, 2))
      const { graph } = await openPage(here, source.chatId)
      // the chat opens where it did
      expect([graph.activeBranchId, graph.branches.length]).toEqual([source.branchId, 2])
      const events = await here.store.getEvents(source.chatId, { streamId: first.thread_id })
      expect(events.slice(0, 4).map(({ type }) => type)).toEqual([
        ...['ThreadCreated', 'ThreadForked', 'ReplayStarted', 'MessageCopied'],
      ])
    })

    it('given a thread that is not there, or someone else’s, then both are the same', async () => {
      const source = await talked(1)
      const refusals = await Promise.all(
        [command('nowhere'), command(source.branchId, { ownerId: 'eve' })].map((sent) =>
          sent.then(String, (error: Error) => error.name + (error as NotFoundError).what),
        ),
      )
      expect(refusals).toEqual(['NotFoundErrorthread', 'NotFoundErrorthread'])
    })
  })

  describe('on its way', () => {
    /** The provider answers a question only once `open` has resolved. */
    const holding = (text: string) => {
      const open = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      world.answer = async (request) => {
        if (asked(request) === text) {
          held.resolve()
          await open.promise
        }
        return replyTo(request)
      }
      return { held: held.promise, open: open.resolve }
    }

    it('given a pause, then the reply under way comes to its end, and it goes on where it was', async () => {
      const source = await talked(4)
      const gate = holding('q2')
      const { replayId, branchId } = await start(source, { model: OTHER })
      const working = work()
      await gate.held
      await steer(source.chatId, replayId, 'pause')
      gate.open()
      await working
      expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('other', 1, 2))
      expect(await only(source.chatId)).toMatchObject({ status: 'paused', asked: 2, reason: null })
      await work()
      expect((await only(source.chatId)).asked).toBe(2)
      // when
      await steer(source.chatId, replayId, 'resume')
      await work()
      // then
      expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('other', 1, 4))
    })

    it('given a stop, then the reply under way ends too, and what is there stays', async () => {
      const source = await talked(3)
      const gate = holding('q2')
      const { replayId, branchId } = await start(source, { model: OTHER })
      const working = work()
      await gate.held
      const stopped = steer(source.chatId, replayId, 'stop')
      await stopped
      gate.open()
      await working
      expect(await linesOf(source.chatId, branchId)).toEqual([...exchanged('other', 1, 1), 'user: q2'])
      expect(await only(source.chatId)).toMatchObject({ status: 'stopped', asked: 2, reason: null })
      await steer(source.chatId, replayId, 'stop')
      await expect(steer(source.chatId, replayId, 'resume')).rejects.toThrow('over')
    })

    it('given two processes that drive it at once, then nothing is asked twice', async () => {
      const source = await talked(6)
      const { branchId } = await start(source, { model: OTHER })
      const workers = [here, there].map((services) => createWorker(services).start())
      for (let look = 0; look < 200 && (await only(source.chatId)).status === 'running'; look++) {
        await Promise.all([driveDue(here.ports), driveDue(there.ports)])
        await sleep(20)
      }
      await Promise.all(workers.map((worker) => worker.stop()))
      expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('other', 1, 6))
    })

    it('given a reply that fails, then it pauses in words, and has it tried again when it goes on', async () => {
      const source = await talked(3)
      world.answer = (request) =>
        asked(request) === 'q2' ? { error: openAIErrors.badKey() } : replyTo(request)
      const { replayId, branchId } = await start(source, { model: OTHER })
      await work()
      const paused = await only(source.chatId)
      expect(paused).toMatchObject({ status: 'paused', asked: 2 })
      expect(paused.reason).toMatch(/^Question 2 has no reply\. .+/)
      // when
      world.answer = (request) => replyTo(request)
      await steer(source.chatId, replayId, 'resume')
      await work()
      // then
      expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('other', 1, 3))
    })

    it('given a reply that broke off, then it goes on with another one, on a branch of its own', async () => {
      const source = await talked(3)
      let cut = true
      world.answer = (request) =>
        asked(request) === 'q2' && cut ? { text: 'one two three four', cutAfter: 2 } : replyTo(request)
      const { replayId, branchId } = await start(source, { model: OTHER })
      await work()
      expect((await only(source.chatId)).reason).toContain('The reply to question 2 failed partway.')
      cut = false
      const { branchId: next } = await steer(source.chatId, replayId, 'resume')
      await work()
      expect(next).not.toBe(branchId)
      expect(await linesOf(source.chatId, next)).toEqual(exchanged('other', 1, 3))
      const { status, thread_id, replies } = await only(source.chatId)
      // the reply in part counts too
      expect({ status, thread_id, replies }).toEqual({ status: 'done', thread_id: next, replies: 4 })
    })

    it('given a message that its person writes on its branch, then it ends and says so', async () => {
      const source = await talked(3)
      const gate = holding('q1')
      const { replayId, branchId } = await start(source, { model: OTHER })
      const working = work()
      await gate.held
      await steer(source.chatId, replayId, 'pause')
      gate.open()
      await working
      await say(source.chatId, 'Let me ask something else', { branch: branchId })
      await steer(source.chatId, replayId, 'resume')
      await work()
      expect(await only(source.chatId)).toMatchObject({
        ...{ status: 'stopped', asked: 1, reason: 'You wrote on its branch yourself.' },
      })
      expect((await linesOf(source.chatId, branchId)).at(-2)).toBe('user: Let me ask something else')
    })

    it('given a branch that is archived, then it pauses until that is brought back', async () => {
      const source = await talked(2)
      const gate = holding('q1')
      const { branchId } = await start(source, { model: OTHER })
      const working = work()
      await gate.held
      const { chatId, branchId: switchTo } = source
      await archiveBranch(here.ports, { ownerId: 'ada', chatId, branchId, switchTo })
      gate.open()
      await working
      expect(await only(source.chatId)).toMatchObject({ status: 'paused', asked: 1 })
      expect((await only(source.chatId)).reason).toContain('archived')
    })

    it('given what its replies took, then their sum is told, and the chat’s usage has them once', async () => {
      const source = await talked(2)
      await start(source, { model: OTHER })
      await work()
      const { replies, input_tokens, output_tokens } = await only(source.chatId)
      expect(replies).toBe(2)
      for (let more = true; more; ) ({ more } = await here.followLog())
      const usage = await readChatUsage(here.ports, { ownerId: 'ada', chatId: source.chatId })
      const other = usage.total.find(({ model }) => model === OTHER)
      expect(other).toMatchObject({ replies: 2, input_tokens, output_tokens })
    })
  })

  describe('refused', () => {
    it('given nothing of the person’s there, an unknown model, message or context, then nothing is written', async () => {
      const source = await talked(1)
      const { seq } = (await openPage(here, source.chatId)).graph
      const [question, reply] = source.messages
      await expect(start(source, { fromId: reply?.id })).rejects.toThrow('nothing to ask again')
      await expect(start(source, { fromId: 'nowhere' })).rejects.toThrow(NotFoundError)
      await expect(start(source, { model: 'openai:none' })).rejects.toThrow('not available')
      await expect(start(source, { context: 'none' })).rejects.toThrow('no such context')
      await expect(start(source, { fromId: question?.id, content: ' ' })).rejects.toThrow('empty')
      await expect(start({ ...source, branchId: 'nowhere' })).rejects.toThrow(NotFoundError)
      expect((await openPage(here, source.chatId)).graph.seq).toBe(seq)
    })

    it('given someone else, then neither chat nor replay is there', async () => {
      const source = await talked(1)
      const { replayId } = await start(source)
      await work()
      const eve = { ownerId: 'eve', chatId: source.chatId }
      await expect(
        startReplay(here.ports, { ...eve, replayId: newId(), branchId: source.branchId }),
      ).rejects.toThrow(NotFoundError)
      await expect(readReplays(here.ports, eve)).rejects.toThrow(NotFoundError)
      await expect(steerReplay(here.ports, { ...eve, replayId, action: 'stop' })).rejects.toThrow(
        NotFoundError,
      )
    })
  })

  describe('with something missing', () => {
    it('given a tool that is gone, then it begins paused and says so, and goes on without', async () => {
      const source = await talked(2)
      const at = { ownerId: 'ada', chatId: source.chatId, branch: source.branchId }
      const { context_id } = await readContext(here.ports, at)
      await changeContext(here.ports, {
        ...at,
        change: { expected_context_id: context_id, tools: { weather__forecast: 'always' } },
      })
      const preview = await previewReplay(here.ports, { ownerId: 'ada', ...source, context: 'current' })
      expect(preview.missing.join(' ')).toContain('weather')
      const { replayId, branchId, messageId } = await start(source, { context: 'current' })
      expect(messageId).toBeNull()
      expect(await only(source.chatId)).toMatchObject({ status: 'paused', asked: 0 })
      expect((await only(source.chatId)).reason).toContain('weather')
      await work()
      expect(await linesOf(source.chatId, branchId)).toEqual([])
      // when
      await steer(source.chatId, replayId, 'resume')
      await work()
      // then
      expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('scripted', 1, 2))
    })
  })
})
