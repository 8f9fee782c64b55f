// One message to several models at once: what is stored, who may, and which reply is kept.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { HeadConflictError, NotFoundError, ReplyInProgressError } from '@/lib/context'
import {
  fanOut,
  fanOutOnce,
  followReplies,
  InvalidRequestError,
  keepBranch,
  keepThreadOnce,
  listContexts,
  parseUserMessage,
  replayThread,
  stopReply,
  type Target,
  undoMove,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { Graph } from '@/lib/protocol'
import { adaThreads, commandKey, rowCounts } from '@/testing/worlds/ada-threads'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import {
  addPerson,
  givenWorld,
  isSound,
  linesOf,
  MODEL,
  putContext,
  seedChat,
  takeTurn,
} from '@/testing/worlds/turn-world'

type FanOutRequest = Parameters<typeof fanOut>[1]

const OTHER = 'openai-compatible:other'
const to = (...models: string[]): Target[] => models.map((model) => ({ model }))
const times = (count: number) => to(...Array.from({ length: count }, () => MODEL))
const said = (text: string) =>
  parseUserMessage({ id: newId(), role: 'user', parts: [{ type: 'text', text }] })

onOneDatabase('a fan-out', ({ name }) => {
  const { world, services } = givenWorld(name, {
    RAMIFY_DEFAULT_MODEL: MODEL,
    OPENAI_COMPATIBLE_MODELS: 'scripted,other',
  })

  const ada = adaThreads(services)
  beforeAll(async () => {
    await addPerson(services, 'bob')
    // a worker takes queued runs: the tests say when
    services.ports.queue.subscribe(() => undefined)
  })
  afterAll(() => isSound(services))
  beforeEach(() => {
    world.answer = ({ model }) => `From ${model}.`
  })

  const fan = (chatId: string, asked: Partial<FanOutRequest>) =>
    fanOut(services.ports, { ownerId: 'ada', chatId, targets: times(2), ...asked })
  const { answer } = ada
  const command = (threadId: string, over: Partial<Parameters<typeof fanOutOnce>[1]> = {}) =>
    fanOutOnce(services.ports, { ownerId: 'ada', threadId, content: 'Again', targets: times(2), ...over })
  /** A fan-out whose replies are written. */
  const fanned = async (chatId: string, asked: Partial<FanOutRequest>) => {
    const begun = await fan(chatId, asked)
    await answer()
    return begun
  }
  const graphOf = async (chatId: string): Promise<Graph> => {
    const graph = await services.ports.reads.graph(chatId, 'ada')
    if (!graph) throw new Error('no such chat')
    return { ...graph, nodes: graph.nodes.toSorted((one, other) => one.depth - other.depth) }
  }
  const archivedIn = async (chatId: string) =>
    (await graphOf(chatId)).branches.flatMap(({ id, archivedAt }) => (archivedAt === null ? [] : [id]))

  it('given a chat, when a message goes to eight at once, then each branch ends with one reply of its model, and the message is there once', async () => {
    const { chatId } = await seedChat(services, ['Hello', 'Hi'])

    const begun = await fan(chatId, {
      message: said('Eight ways'),
      targets: to(...Array.from({ length: 4 }, () => [MODEL, OTHER]).flat()),
    })

    expect(begun.delta.runs).toHaveLength(8)
    expect(new Set(begun.replies.map(({ branchId }) => branchId)).size).toBe(8)
    await answer()
    const { nodes, branches, runs } = await graphOf(chatId)
    expect(runs).toEqual([])
    expect(nodes.filter(({ preview }) => preview === 'Eight ways')).toHaveLength(1)
    for (const { branchId, model } of begun.replies) {
      expect(await linesOf(services, chatId, branchId)).toEqual([
        ...['user: Hello', 'assistant: Hi', 'user: Eight ways'],
        `assistant: From ${model.split(':')[1]}.`,
      ])
    }
    const others = [2, 3, 4, 5, 6, 7, 8].map((n) => `main-v${n}`)
    expect(branches.map(({ name: called }) => called)).toEqual(['main', ...others])
    // each branch goes on with the model that answered there
    const contexts = new Map(begun.replies.map(({ model, contextId }) => [contextId, model]))
    expect(new Set(contexts.values())).toEqual(new Set([MODEL, OTHER]))
  })

  it('given no chat, when its first message goes to three, twice, then the chat is made with three branches', async () => {
    const chatId = newId()
    const asked = { message: said('Begin'), expectedHead: null, targets: to(MODEL, MODEL, OTHER) }
    const begun = await fanned(chatId, asked)

    const { nodes, branches, activeBranchId } = await graphOf(chatId)
    expect([nodes.length, branches.length, activeBranchId]).toEqual([4, 3, begun.branchId])
    expect((await fan(chatId, asked)).delta.nodes).toHaveLength(4)
    expect((await graphOf(chatId)).branches).toHaveLength(3)
  })

  it('given a chat of another person with that id, when a first message goes to two, then the chat is hers alone, under her id for it, for commands too', async () => {
    const chatId = newId()
    const create = { userId: 'bob', branchId: newId() }
    await services.ports.store.commit({ chatId, at: 1, create, steps: [] })

    const begun = await fanned(chatId, { message: said('Mine') })

    const key = (await services.ports.reads.chatCalled(chatId, 'ada')) ?? ''
    expect(begun.delta.chatId).toBe(chatId)
    expect(key).not.toBe(chatId)
    expect((await graphOf(key)).nodes).toHaveLength(3)

    // when its threads are fanned out, kept and replayed by command
    const chats = async () => ((await rowCounts(services)) as { chats: number }).chats
    const before = await chats()
    const beside = await command(begun.branchId)
    await answer()
    const [threadId = '', other = ''] = beside.threads.map(({ thread_id }) => thread_id)
    const kept = await keepThreadOnce(services.ports, { ownerId: 'ada', threadId, otherIds: [other] })
    const replayed = await replayThread(services.ports, { ownerId: 'ada', threadId })

    expect([beside.chat_id, kept.chat_id, replayed.chat_id]).toEqual([chatId, chatId, chatId])
    expect(await chats()).toBe(before)
    const ids = (await graphOf(key)).branches.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([threadId, other, replayed.thread_id]))
  })

  it('given an answered message, when it is fanned out again by its reply, then every answer is on a new branch and the old one stays', async () => {
    const { chatId, ids } = await seedChat(services, ['Once', 'Said'])

    const begun = await fanned(chatId, { messageId: ids[1], targets: times(3) })

    expect(begun.messageId).toBe(ids[0])
    const { nodes, branches, activeBranchId } = await graphOf(chatId)
    expect(nodes).toHaveLength(5)
    expect(branches.map(({ name: called }) => called)).toEqual(['main', 'main-v2', 'main-v3', 'main-v4'])
    expect(activeBranchId).toBe(begun.branchId)
    expect(await linesOf(services, chatId, 'main')).toEqual(['user: Once', 'assistant: Said'])
  })

  it('given a message without a reply at the end of its branch, when it is fanned out, then the branch itself gets the first', async () => {
    const { chatId, ids } = await seedChat(services, ['Unheard'])
    await fanned(chatId, { messageId: ids[0] })
    const { branches, nodes } = await graphOf(chatId)
    expect([branches.length, nodes.length]).toEqual([2, 3])
  })

  it('given a reply that failed beside another one, when it is tried again, then its own branch gets it', async () => {
    world.answer = ({ model }) => (model === 'other' ? '' : 'Well.')
    const chatId = newId()
    const { replies, messageId } = await fanned(chatId, { message: said('Both'), targets: to(MODEL, OTHER) })
    const branch = replies[1]?.branchId
    world.answer = () => 'At last.'

    await takeTurn(services, { chatId, branch, trigger: 'regenerate-message', messageId, model: OTHER })

    expect((await graphOf(chatId)).branches).toHaveLength(2)
    expect(await linesOf(services, chatId, branch)).toEqual(['user: Both', 'assistant: At last.'])
  })

  it('given contexts of the chat that differ in their model alone, when a message goes to them, then each reply is asked in its own, and they are listed as one', async () => {
    const chatId = newId()
    const first = await fanned(chatId, { message: said('Begin'), targets: to(MODEL, OTHER) })
    const listed = await listContexts(services.ports, { ownerId: 'ada', chatId })
    expect(listed.map(({ branch_ids }) => branch_ids.toSorted())).toEqual([
      first.replies.map(({ branchId }) => branchId).toSorted(),
    ])

    const { replies } = await fanned(chatId, {
      branch: first.branchId,
      message: said('Go on'),
      targets: first.replies.map(({ contextId }) => ({ contextId })),
    })

    expect(replies.map(({ model }) => model)).toEqual([MODEL, OTHER])
    expect((await linesOf(services, chatId, replies[1]?.branchId)).at(-1)).toBe('assistant: From other.')
  })

  it('given presets, when a message goes to them, then each reply is asked with its own fragments and settings, and what is remembered stays', async () => {
    const { chatId } = await seedChat(services, ['Hello', 'Hi'])
    const memories = [{ key: 'diet', text: 'One of us is vegetarian.', message_id: null }]
    await putContext(services, chatId, { memories })
    world.answer = ({ messages, temperature }) => `${temperature ?? 'no'}: ${messages[0]?.content}`
    const fragment = (data: string) => ({ id: 'f1', name: 'role', data, enabled: true })
    const tutor = { fragments: [fragment('You are a patient tutor.')], settings: { temperature: 0.5 } }
    const short = { fragments: [fragment('You are brief.')] }

    const { replies } = await fanned(chatId, {
      message: said('Explain'),
      targets: [{ model: MODEL }, { model: MODEL, preset: tutor }, { model: OTHER, preset: short }],
    })

    const lines = await Promise.all(replies.map(({ branchId }) => linesOf(services, chatId, branchId)))
    const [plain, taught, brief] = lines.map((all) => all.at(-1) ?? '')
    expect(plain).toContain('no: <role>You are a helpful assistant.</role>')
    expect(taught).toContain('0.5: <role>You are a patient tutor.</role>')
    expect(brief).toContain('no: <role>You are brief.</role>')
    for (const prompt of [plain, taught, brief]) expect(prompt).toContain('One of us is vegetarian.')
    expect(taught).not.toContain('helpful')

    // when the contexts of the chat are listed, then each is there once, told by its own words
    const contexts = await listContexts(services.ports, { ownerId: 'ada', chatId })
    const used = contexts.map(({ opening, branch_ids, memories }) => ({ opening, branch_ids, memories }))
    const openings = ['You are a helpful assistant.', 'You are a patient tutor.', 'You are brief.']
    expect(
      used.toSorted((one, other) => openings.indexOf(one.opening) - openings.indexOf(other.opening)),
    ).toEqual(openings.map((opening, at) => ({ opening, branch_ids: [replies[at]?.branchId], memories: 1 })))
    for (const { tokens } of contexts) expect(tokens).toBeGreaterThan(5)
    await expect(listContexts(services.ports, { ownerId: 'bob', chatId })).rejects.toThrow(NotFoundError)
  })

  it('given bad input, when a fan-out is asked for, then it is refused and nothing is written', async () => {
    const { chatId, ids } = await seedChat(services, ['Here', 'There'])
    const before = await rowCounts(services)
    const unreadable: Target = {
      preset: { fragments: [{ name: 'role', data: { $fragment: 1 }, enabled: true }] },
    }
    const invalid = (code: string) => ({ name: 'InvalidRequestError', code })
    const missing = { name: 'NotFoundError' }
    const again = { message: undefined }
    const refused: [Partial<FanOutRequest>, object][] = [
      [{ targets: times(1) }, invalid('too_few_replies')],
      [{ targets: [] }, invalid('too_few_replies')],
      [{ targets: times(9) }, invalid('too_many_replies')],
      [{ targets: to(MODEL, 'missing:nothing') }, invalid('unknown_model')],
      [{ targets: [{ contextId: 'c1' }, { contextId: 'c2' }] }, invalid('unknown_context')],
      [{ targets: [{}, unreadable] }, invalid('invalid')],
      [{ expectedHead: ids[0] }, { name: HeadConflictError.name }],
      [{ branch: 'nowhere' }, { ...missing, what: 'branch' }],
      [
        { ...again, messageId: newId() },
        { ...missing, what: 'message' },
      ],
      [
        { ...again, messageId: ids[0], ownerId: 'bob' },
        { ...missing, what: 'chat' },
      ],
    ]
    for (const [over, refusal] of refused) {
      const asked = fan(chatId, { message: said('No'), ...over })
      await expect(asked, JSON.stringify(over)).rejects.toMatchObject(refusal)
    }
    expect(await rowCounts(services)).toEqual(before)
  })

  it('given a fan-out, when one is kept, then the chat opens on it and the others are archived; while one of them is written it is refused', async () => {
    const go = Promise.withResolvers<string>()
    world.answer = () => go.promise
    const chatId = newId()
    const { replies } = await fan(chatId, { message: said('Three'), targets: times(3) })
    const [main, kept, other] = replies.map(({ branchId }) => branchId) as [string, string, string]
    const keep = (branchId: string, ...otherIds: string[]) =>
      keepBranch(services.ports, { ownerId: 'ada', chatId, branchId, otherIds })

    await expect(keep(kept, main, other)).rejects.toThrow(ReplyInProgressError)
    const writing = answer()
    go.resolve('Done.')
    await writing

    await expect(keep(kept, kept, other)).rejects.toMatchObject({ code: 'not_siblings' })
    await expect(keep(kept, 'nowhere')).rejects.toThrow(NotFoundError)
    await expect(keep('nowhere', kept)).rejects.toThrow(NotFoundError)
    await takeTurn(services, { chatId, text: 'Further' })
    await expect(keep(kept, main)).rejects.toMatchObject({ code: 'not_siblings' })
    expect(await archivedIn(chatId)).toEqual([])
    expect((await graphOf(chatId)).activeBranchId).toBe(main)

    const moved = await keep(kept, other)

    expect([moved.branchId, moved.delta.activeBranchId]).toEqual([kept, kept])
    expect(await archivedIn(chatId)).toEqual([other])
    // again is no change, and an archived branch is not kept
    await keep(kept, other)
    await expect(keep(other, kept)).rejects.toThrow(InvalidRequestError)
  })

  it('given a fan-out that is being written, when its message is followed, then one stream has the words of all replies, and of one that is stopped', async () => {
    const go = Promise.withResolvers<void>()
    world.answer = async ({ model }) => {
      await go.promise
      return `From ${model}.`
    }
    const chatId = newId()
    const begun = await fan(chatId, { message: said('Follow'), targets: to(MODEL, OTHER, OTHER) })
    const [first, second, third] = (begun.delta.runs ?? []).map(({ runId }) => runId)
    const called = { chatId, called: chatId, messageId: begun.messageId }
    const follow = await followReplies(services.ports, { ownerId: 'ada', ...called })
    await stopReply(services.ports, { ownerId: 'ada', chatId, runId: third ?? '' })
    const writing = answer()
    go.resolve()
    const words = new Map<string, string>()
    const over: string[] = []
    for await (const news of follow) {
      if (news.kind === 'over') over.push(news.runId)
      else if (news.part.type === 'text-delta') {
        words.set(news.runId, (words.get(news.runId) ?? '') + news.part.delta)
      }
    }
    await writing

    expect(words).toEqual(new Map().set(first, 'From scripted.').set(second, 'From other.'))
    expect(over.toSorted()).toEqual([first, second, third].toSorted())
    await expect(followReplies(services.ports, { ownerId: 'bob', ...called })).rejects.toThrow(NotFoundError)
  })

  it('given a thread, when a fan-out of eight is commanded twice under one key, then there is one, and eight threads end with one reply each', async () => {
    world.answer = () => 'Noted.'
    const { thread_id, chat_id } = await ada.create()
    await ada.talk(thread_id, 'Hello')
    const once = commandKey('eight', 'fan-out')
    const eight = () =>
      command(thread_id, { once, content: 'Eight', targets: Array.from({ length: 8 }, () => ({})) })

    const [first, ...others] = await Promise.all([eight(), eight(), eight()])
    await ada.answer()

    expect(others).toEqual([first, first])
    expect(await eight()).toEqual(first)
    expect(first).toMatchObject({ chat_id, thread_id, event_number: 5 })
    expect(new Set(first?.threads.map((thread) => thread.thread_id)).size).toBe(8)
    for (const thread of first?.threads ?? []) {
      const messages = await ada.messages(thread.thread_id)
      expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Noted.', 'Eight', 'Noted.'])
      expect(messages[2]?.messageId).toBe(first?.message_id)
    }
    expect((await graphOf(chat_id)).nodes).toHaveLength(11)
  })

  it('given threads beside each other, when one is kept by command, then one undo brings the others back', async () => {
    const { thread_id, chat_id } = await ada.create()
    const { threads } = await command(thread_id, { targets: times(3) })
    await ada.answer()
    const [, second, third] = threads.map((thread) => thread.thread_id) as [string, string, string]
    const once = commandKey('keep', 'keep-thread')
    const keeping = { ownerId: 'ada', once, threadId: second, otherIds: [thread_id, third] }
    const keep = () => keepThreadOnce(services.ports, keeping)

    const kept = await keep()

    expect(kept).toMatchObject({ chat_id, thread_id: second })
    expect(await keep()).toEqual(kept)
    expect(new Set(await archivedIn(chat_id))).toEqual(new Set([thread_id, third]))
    const undone = await undoMove(services.ports, { ownerId: 'ada', chatId: chat_id })
    expect(undone).toMatchObject({ entry: { move: 'keep' }, branchId: thread_id })
    expect(await archivedIn(chat_id)).toEqual([])
  })

  it('given bad input, when a fan-out or a keep is commanded, then it is refused and nothing is written', async () => {
    const { thread_id } = await ada.create()
    await ada.send(thread_id, 'Wait')
    const before = await rowCounts(services)
    // more that is refused: lib/server/api/threads.int.test.ts
    const refused = (over: object) => command(thread_id, { once: commandKey('no', 'fan-out'), ...over })
    await expect(refused({})).rejects.toThrow(ReplyInProgressError)
    const missing = { name: 'NotFoundError', what: 'thread' }
    for (const over of [{ threadId: 'nowhere' }, { ownerId: 'bob' }]) {
      await expect(refused(over)).rejects.toMatchObject(missing)
      const keeping = { ownerId: 'ada', threadId: thread_id, otherIds: ['x'], ...over }
      await expect(keepThreadOnce(services.ports, keeping)).rejects.toMatchObject(missing)
    }
    expect(await rowCounts(services)).toEqual(before)
    await ada.answer()
  })
})
