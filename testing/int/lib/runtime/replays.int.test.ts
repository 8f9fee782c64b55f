// A person's messages that are asked again on a branch of their own: on the server, one after the other.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { NotFoundError } from '@/lib/context'
import {
  archiveBranch,
  driveDue,
  previewReplay,
  readChatUsage,
  readContext,
  readReplays,
  replayThread,
  startReplay,
  steerReplay,
  takeOverRuns,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import { createWorker } from '@/lib/runtime/services'
import { type ChatRequest, openAIErrors, textOf } from '@/testing/machines/openai-server'
import { commandKey } from '@/testing/worlds/ada-threads'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import {
  addPerson,
  followLog,
  givenProcesses,
  isSound,
  linesOf as linesOfBranch,
  MODEL,
  openPage,
  putContext,
  seedChat,
  takeTurn,
} from '@/testing/worlds/turn-world'

const OTHER = 'openai-compatible:other'

onServedDatabase('a replay', ({ name }) => {
  const { world, here, there } = givenProcesses(name, {
    RAMIFY_DEFAULT_MODEL: MODEL,
    OPENAI_COMPATIBLE_MODELS: 'scripted,other',
    OPENAI_API_KEY: '',
    RAMIFY_LEASE_MS: '20000',
  })

  beforeAll(() => addPerson(here, 'eve'))
  afterAll(() => isSound(here))
  beforeEach(() => {
    world.answer = (request) => replyTo(request)
  })

  const asked = ({ messages }: ChatRequest) => textOf(messages.at(-1) ?? { role: 'user' })
  const replyTo = (request: ChatRequest) => `${request.model} on ${asked(request)}`
  const linesOf = (chatId: string, branch: string) => linesOfBranch(here, chatId, branch)
  /** A chat of so many turns: "q1", "q2" … and replies to them. */
  async function talked(turns: number) {
    const texts = Array.from({ length: turns }, (_, at) => [`q${at + 1}`, `scripted on q${at + 1}`])
    const { chatId, branchId, ids } = await seedChat(here, texts.flat())
    return { chatId, branchId, ids, questions: ids.filter((_, place) => place % 2 === 0) }
  }
  const start = (
    of: { chatId: string; branchId: string },
    more: Partial<Parameters<typeof startReplay>[1]> = {},
  ) =>
    startReplay(here.ports, {
      ownerId: 'ada',
      chatId: of.chatId,
      branchId: of.branchId,
      replayId: newId(),
      ...more,
    })
  /** Writes what is queued, and all that follows from it. */
  const work = async (services = here) => {
    await driveDue(services.ports)
    await (await takeOverRuns(services.ports)).ended
  }
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

  it('given turns, when they are replayed with another model, then every question has one reply of it, in order, asked with what the new branch says above it', async () => {
    // given
    const source = await talked(4)
    const before = await linesOf(source.chatId, source.branchId)
    world.provider.requests.length = 0
    // when
    const begun = await start(source, { model: OTHER })
    expect(begun.delta.replays?.[0]).toMatchObject({ asked: 1, total: 4, status: 'running' })
    await work()
    // then
    const lines = exchanged('other', 1, 4)
    expect(await linesOf(source.chatId, begun.branchId)).toEqual(lines)
    expect(await linesOf(source.chatId, source.branchId)).toEqual(before)
    expect(await only(source.chatId)).toMatchObject({
      replay_id: begun.replayId,
      thread_id: begun.branchId,
      source_thread_id: source.branchId,
      asked: 4,
      total: 4,
      replies: 4,
      status: 'done',
      reason: null,
      model: OTHER,
    })
    const prompts = world.provider.requests.map(({ messages }) =>
      messages.filter(({ role }) => role !== 'system').map((said) => `${said.role}: ${textOf(said)}`),
    )
    expect(prompts).toEqual([1, 3, 5, 7].map((count) => lines.slice(0, count)))
    // each copy leads to what it is a copy of
    const { window } = await openPage(here, source.chatId, begun.branchId)
    const chain = await here.store.getMessageChain(source.chatId, window.messages.at(-1)?.id ?? '')
    const copies = chain.flatMap(({ name: role, copiedFromId }) => (role === 'user' ? [copiedFromId] : []))
    expect(copies).toEqual(source.questions)
  })

  it('given a point in the middle and other words, then what stands before stays and the first question is the new one', async () => {
    const source = await talked(4)
    const fromId = source.questions[2]
    const begun = await start(source, { fromId, content: 'q3, please', model: OTHER })
    await work()
    expect(await linesOf(source.chatId, begun.branchId)).toEqual([
      ...exchanged('scripted', 1, 2),
      ...['user: q3, please', 'assistant: other on q3, please', ...exchanged('other', 4, 4)],
    ])
    const chain = await here.store.getMessageChain(source.chatId, begun.messageId ?? '')
    expect(chain.at(-1)?.copiedFromId).toBeUndefined()
  })

  it('given a context that was changed since, then the original one is asked in, or the current one, as wished', async () => {
    const source = await talked(2)
    const at = { ownerId: 'ada', chatId: source.chatId, branch: source.branchId }
    const { fragments } = await readContext(here.ports, at)
    const pirate = { name: 'role', data: 'You are a pirate.', enabled: true }
    await putContext(here, source.chatId, { fragments: [...fragments, pirate] })
    const systems = async (context: string | undefined) => {
      world.provider.requests.length = 0
      await start(source, { context })
      await work()
      return world.provider.requests.map(({ messages: [first] }) => first && textOf(first).includes('pirate'))
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

  const command = (threadId: string, more: Partial<Parameters<typeof replayThread>[1]> = {}) =>
    replayThread(here.ports, { ownerId: 'ada', threadId, ...more })

  it('given a key, when the command is sent again, then it is one replay; with another body it is refused', async () => {
    const source = await talked(2)
    const once = commandKey('a', 'replay-thread')
    const first = await command(source.branchId, { once, model: OTHER })
    expect(first).toEqual({
      chat_id: source.chatId,
      thread_id: expect.any(String),
      event_number: 4,
      message_id: expect.any(String),
      replay_id: expect.any(String),
    })
    expect(await command(source.branchId, { once, model: OTHER })).toEqual(first)
    const otherBody = { once: { ...once, bodyHash: 'b' } }
    await expect(command(source.branchId, otherBody)).rejects.toThrow('another request')
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
  /** A replay by the other model of a chat of so many turns. */
  const begin = async (turns: number) => {
    const { chatId, branchId: sourceId } = await talked(turns)
    const { branchId, replayId } = await start({ chatId, branchId: sourceId }, { model: OTHER })
    return {
      chatId,
      sourceId,
      branchId,
      now: () => only(chatId),
      lines: (branch = branchId) => linesOf(chatId, branch),
      steer: (action: 'pause' | 'resume' | 'stop') =>
        steerReplay(here.ports, { ownerId: 'ada', chatId, replayId, action }),
    }
  }
  /** `act` comes while the reply to one of its questions is written. */
  const during = async (
    text: string,
    turns: number,
    act: (replay: Awaited<ReturnType<typeof begin>>) => Promise<unknown>,
  ) => {
    const gate = holding(text)
    const replay = await begin(turns)
    const working = work()
    await gate.held
    await act(replay)
    gate.open()
    await working
    return replay
  }

  it('given a pause, then the reply under way comes to its end, and it goes on where it was', async () => {
    const replay = await during('q2', 4, ({ steer }) => steer('pause'))
    expect(await replay.lines()).toEqual(exchanged('other', 1, 2))
    expect(await replay.now()).toMatchObject({ status: 'paused', asked: 2, reason: null })
    await work()
    expect((await replay.now()).asked).toBe(2)
    // when
    await replay.steer('resume')
    await work()
    // then
    expect(await replay.lines()).toEqual(exchanged('other', 1, 4))
  })

  it('given a stop, then the reply under way ends too, and what is there stays', async () => {
    const replay = await during('q2', 3, ({ steer }) => steer('stop'))
    expect(await replay.lines()).toEqual([...exchanged('other', 1, 1), 'user: q2'])
    expect(await replay.now()).toMatchObject({ status: 'stopped', asked: 2, reason: null })
    await replay.steer('stop')
    await expect(replay.steer('resume')).rejects.toThrow('over')
  })

  it('given two processes that drive it at once, then nothing is asked twice', async () => {
    const replay = await begin(4)
    const workers = [here, there].map((services) => createWorker(services).start())
    const driven = async () => {
      await Promise.all([driveDue(here.ports), driveDue(there.ports)])
      return (await replay.now()).status
    }
    await expect.poll(driven, { interval: 20 }).toBe('done')
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await replay.lines()).toEqual(exchanged('other', 1, 4))
  })

  it('given a reply that fails, then it pauses in words, and has it tried again when it goes on', async () => {
    world.answer = (request) =>
      asked(request) === 'q2' ? { error: openAIErrors.badKey() } : replyTo(request)
    const replay = await begin(3)
    await work()
    const reason = expect.stringMatching(/^Question 2 has no reply\. .+/)
    expect(await replay.now()).toMatchObject({ status: 'paused', asked: 2, reason })
    // when
    world.answer = (request) => replyTo(request)
    await replay.steer('resume')
    await work()
    // then
    expect(await replay.lines()).toEqual(exchanged('other', 1, 3))
  })

  it('given a reply that broke off, then it goes on with another one, on a branch of its own', async () => {
    let cut = true
    world.answer = (request) =>
      asked(request) === 'q2' && cut ? { text: 'one two three four', cutAfter: 2 } : replyTo(request)
    const replay = await begin(3)
    await work()
    expect((await replay.now()).reason).toContain('The reply to question 2 failed partway.')
    cut = false
    const { branchId: next } = await replay.steer('resume')
    await work()
    expect(next).not.toBe(replay.branchId)
    expect(await replay.lines(next)).toEqual(exchanged('other', 1, 3))
    // the reply in part counts too
    expect(await replay.now()).toMatchObject({ status: 'done', thread_id: next, replies: 4 })
  })

  it('given a message that its person writes on its branch, then it ends and says so', async () => {
    const replay = await during('q1', 3, ({ steer }) => steer('pause'))
    const { chatId, branchId: branch } = replay
    await takeTurn(here, { chatId, branch, text: 'Let me ask something else' })
    await replay.steer('resume')
    await work()
    const reason = 'You wrote on its branch yourself.'
    expect(await replay.now()).toMatchObject({ status: 'stopped', asked: 1, reason })
    expect((await replay.lines()).at(-2)).toBe('user: Let me ask something else')
  })

  it('given a branch that is archived, then it pauses until that is brought back', async () => {
    const replay = await during('q1', 2, ({ chatId, branchId, sourceId: switchTo }) =>
      archiveBranch(here.ports, { ownerId: 'ada', chatId, branchId, switchTo }),
    )
    const reason = expect.stringContaining('archived')
    expect(await replay.now()).toMatchObject({ status: 'paused', asked: 1, reason })
  })

  it('given what its replies took, then their sum is told, and the chat’s usage has them once', async () => {
    const { chatId, now } = await begin(2)
    await work()
    const { replies, input_tokens, output_tokens } = await now()
    expect(replies).toBe(2)
    await followLog(here)
    const usage = await readChatUsage(here.ports, { ownerId: 'ada', chatId })
    const other = usage.total.find(({ model }) => model === OTHER)
    expect(other).toMatchObject({ replies: 2, input_tokens, output_tokens })
  })

  it('given what it would come to, then the figures are those of its turns; given nothing of the person’s there, an unknown model, message or context, then it is refused; and nothing is written', async () => {
    const source = await talked(3)
    const { seq } = (await openPage(here, source.chatId)).graph
    const [question, reply] = source.ids.slice(-2)
    const preview = await previewReplay(here.ports, { ownerId: 'ada', ...source, model: OTHER })
    expect(preview).toMatchObject({ turns: 3, model: OTHER, missing: [], cost_usd: null })
    expect(preview.input_tokens).toBeGreaterThan(preview.output_tokens)
    await expect(start(source, { fromId: reply })).rejects.toThrow('nothing to ask again')
    await expect(start(source, { fromId: 'nowhere' })).rejects.toThrow(NotFoundError)
    await expect(start(source, { model: 'openai:none' })).rejects.toThrow('not available')
    await expect(start(source, { context: 'none' })).rejects.toThrow('no such context')
    await expect(start(source, { fromId: question, content: ' ' })).rejects.toThrow('empty')
    await expect(start({ ...source, branchId: 'nowhere' })).rejects.toThrow(NotFoundError)
    expect((await openPage(here, source.chatId)).graph.seq).toBe(seq)
  })

  it('given someone else, then neither chat nor replay is there', async () => {
    const source = await talked(1)
    const { replayId } = await start(source)
    await work()
    const eve = { ownerId: 'eve', chatId: source.chatId }
    await expect(start(source, eve)).rejects.toThrow(NotFoundError)
    await expect(readReplays(here.ports, eve)).rejects.toThrow(NotFoundError)
    await expect(steerReplay(here.ports, { ...eve, replayId, action: 'stop' })).rejects.toThrow(NotFoundError)
    // as a thread that is not there
    const notFound = { name: 'NotFoundError', what: 'thread' }
    await expect(command('nowhere')).rejects.toMatchObject(notFound)
    await expect(command(source.branchId, { ownerId: 'eve' })).rejects.toMatchObject(notFound)
  })

  it('given a tool that is gone, then it begins paused and says so, and goes on without', async () => {
    const source = await talked(2)
    await putContext(here, source.chatId, { tools: { weather__forecast: 'always' } })
    const preview = await previewReplay(here.ports, { ownerId: 'ada', ...source, context: 'current' })
    expect(preview.missing.join(' ')).toContain('weather')
    const { replayId, branchId, messageId } = await start(source, { context: 'current' })
    expect(messageId).toBeNull()
    const reason = expect.stringContaining('weather')
    expect(await only(source.chatId)).toMatchObject({ status: 'paused', asked: 0, reason })
    await work()
    expect(await linesOf(source.chatId, branchId)).toEqual([])
    // when
    await steerReplay(here.ports, { ownerId: 'ada', chatId: source.chatId, replayId, action: 'resume' })
    await work()
    // then
    expect(await linesOf(source.chatId, branchId)).toEqual(exchanged('scripted', 1, 2))
  })
})
