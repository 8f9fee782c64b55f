// One message to several models at once: what is stored, who may, and which reply is kept.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { HeadConflictError, NotFoundError, ReplyInProgressError } from '@/lib/context'
import {
  changeContext,
  fanOut,
  fanOutOnce,
  followReplies,
  InvalidRequestError,
  keepBranch,
  keepThreadOnce,
  listContexts,
  parseUserMessage,
  readContext,
  replayThread,
  runTurn,
  stopReply,
  type Target,
  takeOverRuns,
  undoMove,
} from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { Graph } from '@/lib/protocol'
import type { Services } from '@/lib/runtime/services'
import { checkDatabase } from '@/lib/store'
import { adaThreads, commandKey, rowCounts } from '@/testing/worlds/ada-threads'
import { onEachDatabase } from '@/testing/worlds/open-stores'
import { ask, linesOf, MODEL, openTurnWorld, type TurnWorld } from '@/testing/worlds/turn-world'

onEachDatabase('a fan-out', ({ name }) => {
  let world: TurnWorld
  let services: Services

  beforeAll(async () => {
    world = await openTurnWorld(name)
    services = await world.process({
      RAMIFY_DEFAULT_MODEL: MODEL,
      OPENAI_COMPATIBLE_MODELS: 'scripted,other',
    })
    await services.database.orm
      .insert(schema.user)
      .values({ id: 'bob', name: 'Bob', email: 'bob@example.org' })
    // a worker takes queued runs: the tests say when
    services.ports.queue.subscribe(() => undefined)
  })
  afterAll(() => world?.close())

  const OTHER = 'openai-compatible:other'
  const said = (text: string, id = newId()) =>
    parseUserMessage({ id, role: 'user', parts: [{ type: 'text', text }] })
  const to = (...models: string[]) => models.map((model) => ({ model }))
  const graphOf = async (chatId: string): Promise<Graph> => {
    const graph = await services.ports.reads.graph(chatId, 'ada')
    if (!graph) throw new Error('no such chat')
    return { ...graph, nodes: graph.nodes.toSorted((one, other) => one.depth - other.depth) }
  }
  const answer = async () => (await takeOverRuns(services.ports)).ended
  const talk = async (chatId: string, text: string) => {
    const { stream, ended } = await runTurn(services.ports, ask({ chatId, text }))
    await stream.cancel()
    await ended
  }

  /** Ada's chat under an id that Bob's has, with one message and two replies. */
  const hersUnderAnId = async () => {
    const chatId = newId()
    await services.ports.store.commit({
      ...{ chatId, at: 1, create: { userId: 'bob', branchId: newId() }, steps: [] },
    })
    const begun = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Mine'), targets: to(MODEL, MODEL) },
    })
    await answer()
    const key = (await services.ports.reads.chatCalled(chatId, 'ada')) ?? ''
    return { chatId, key, begun, branchId: begun.branchId }
  }

  it('given a chat, when a message goes to eight at once, then each branch ends with one reply of its model, and the message is there once', async () => {
    world.answer = (request) => `From ${request.model}.`
    const chatId = newId()
    await talk(chatId, 'Hello')

    const begun = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Eight ways') },
      targets: to(MODEL, OTHER, MODEL, OTHER, MODEL, OTHER, MODEL, OTHER),
    })

    expect(begun.delta.runs).toHaveLength(8)
    expect(new Set(begun.replies.map(({ branchId }) => branchId)).size).toBe(8)
    await answer()
    const { nodes, branches, runs } = await graphOf(chatId)
    expect(runs).toEqual([])
    expect(nodes.filter(({ preview }) => preview === 'Eight ways')).toHaveLength(1)
    for (const { branchId, model } of begun.replies) {
      const lines = await linesOf(services, chatId, branchId)
      expect(lines.slice(0, 3)).toEqual(['user: Hello', `assistant: From scripted.`, 'user: Eight ways'])
      expect(lines).toHaveLength(4)
      expect(lines[3]).toBe(`assistant: From ${model.split(':')[1]}.`)
    }
    expect(branches.map(({ name: called }) => called)).toEqual([
      'main',
      ...[2, 3, 4, 5, 6, 7, 8].map((n) => `main-v${n}`),
    ])
    // each branch goes on with the model that answered there
    const contexts = new Map(begun.replies.map(({ model, contextId }) => [contextId, model]))
    expect(new Set(contexts.values())).toEqual(new Set([MODEL, OTHER]))
    expect(await checkDatabase(services.database)).toEqual([])
  })

  it('given no chat, when its first message goes to three, then the chat is made with three branches', async () => {
    const chatId = newId()
    const message = said('Begin')
    const request = { ownerId: 'ada', chatId, message, expectedHead: null, targets: to(MODEL, MODEL, OTHER) }

    const begun = await fanOut(services.ports, request)
    await answer()

    const { nodes, branches, activeBranchId } = await graphOf(chatId)
    expect(nodes).toHaveLength(4)
    expect(branches).toHaveLength(3)
    expect(activeBranchId).toBe(begun.branchId)
    // the same message again is the same fan-out
    const again = await fanOut(services.ports, request)
    expect(again.delta.nodes).toHaveLength(4)
    expect((await graphOf(chatId)).branches).toHaveLength(3)
  })

  it('given a chat of another person with that id, when a first message goes to two, then the chat is hers alone, under her id for it', async () => {
    const { chatId, key, begun } = await hersUnderAnId()
    expect(begun.delta.chatId).toBe(chatId)
    expect(key).not.toBe(chatId)
    expect((await graphOf(key)).nodes).toHaveLength(3)
  })

  it('given a chat under an id that another person’s chat has, when its threads are fanned out, kept and replayed by command, then that chat changes, under her id for it', async () => {
    const { chatId, branchId, key } = await hersUnderAnId()
    const chats = async () => (await rowCounts(services)) as { chats: number }
    const { chats: before } = await chats()

    const fanned = await fanOutOnce(services.ports, {
      ...{ ownerId: 'ada', threadId: branchId, content: 'Again', targets: to(MODEL, MODEL) },
    })
    await answer()
    const [kept, other] = fanned.threads.map(({ thread_id }) => thread_id) as [string, string]
    const keeping = await keepThreadOnce(services.ports, {
      ...{ ownerId: 'ada', threadId: kept, otherIds: [other] },
    })
    const replayed = await replayThread(services.ports, { ownerId: 'ada', threadId: kept })

    expect([fanned.chat_id, keeping.chat_id, replayed.chat_id]).toEqual([chatId, chatId, chatId])
    expect((await chats()).chats).toBe(before)
    const { branches } = await graphOf(key)
    expect(branches.map(({ id }) => id)).toEqual(expect.arrayContaining([kept, other, replayed.thread_id]))
  })

  it('given an answered message, when it is fanned out again by its reply, then every answer is on a new branch and the old one stays', async () => {
    world.answer = (request) => `To ${request.messages.at(-1)?.content}.`
    const chatId = newId()
    await talk(chatId, 'Once')
    const [question, reply] = (await graphOf(chatId)).nodes

    const begun = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, messageId: reply?.id, targets: to(MODEL, MODEL, MODEL) },
    })
    await answer()

    expect(begun.messageId).toBe(question?.id)
    const graph = await graphOf(chatId)
    expect(graph.nodes).toHaveLength(5)
    expect(graph.branches.map(({ name: called }) => called)).toEqual([
      'main',
      'main-v2',
      'main-v3',
      'main-v4',
    ])
    expect(graph.activeBranchId).toBe(begun.branchId)
    expect(await linesOf(services, chatId, 'main')).toEqual(['user: Once', 'assistant: To Once.'])
  })

  it('given a message without a reply at the end of its branch, when it is fanned out, then the branch itself gets the first', async () => {
    world.answer = () => ''
    const chatId = newId()
    await talk(chatId, 'Unheard')
    const [question] = (await graphOf(chatId)).nodes
    world.answer = () => 'Heard.'

    await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, messageId: question?.id, targets: to(MODEL, MODEL) },
    })
    await answer()

    const { branches, nodes } = await graphOf(chatId)
    expect(branches).toHaveLength(2)
    expect(nodes).toHaveLength(3)
  })

  it('given a reply that failed beside another one, when it is tried again, then its own branch gets it', async () => {
    world.answer = ({ model }) => (model === 'other' ? '' : 'Well.')
    const chatId = newId()
    const { replies, messageId } = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Both'), targets: to(MODEL, OTHER) },
    })
    await answer()
    const failed = replies[1]?.branchId
    world.answer = () => 'At last.'

    const { stream, ended } = await runTurn(
      services.ports,
      ask({ chatId, branch: failed, trigger: 'regenerate-message', messageId, model: OTHER }),
    )
    await stream.cancel()
    await ended

    expect((await graphOf(chatId)).branches).toHaveLength(2)
    expect(await linesOf(services, chatId, failed)).toEqual(['user: Both', 'assistant: At last.'])
  })

  it('given contexts of the chat, when a message goes to them, then each reply is asked in its own', async () => {
    const chatId = newId()
    world.answer = (request) => `From ${request.model}.`
    const first = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Begin'), targets: to(MODEL, OTHER) },
    })
    await answer()
    const targets = first.replies.map(({ contextId }) => ({ contextId }))
    const { replies } = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, branch: first.branchId, message: said('Go on'), targets },
    })
    await answer()
    expect(replies.map(({ model }) => model)).toEqual([MODEL, OTHER])
    expect((await linesOf(services, chatId, replies[1]?.branchId)).at(-1)).toBe('assistant: From other.')
  })

  it('given presets, when a message goes to them, then each reply is asked with its own fragments and settings, and what is remembered stays', async () => {
    const chatId = newId()
    await talk(chatId, 'Hello')
    const { context_id: expected_context_id } = await readContext(services.ports, { ownerId: 'ada', chatId })
    const memories = [{ key: 'diet', text: 'One of us is vegetarian.', message_id: null }]
    const change = { expected_context_id, memories }
    await changeContext(services.ports, { ownerId: 'ada', chatId, change })
    world.answer = ({ messages, temperature }) => `${temperature ?? 'no'}: ${messages[0]?.content}`
    const fragment = (data: string) => ({ id: 'f1', name: 'role', data, enabled: true })
    const tutor = { fragments: [fragment('You are a patient tutor.')], settings: { temperature: 0.5 } }
    const short = { fragments: [fragment('You are brief.')] }

    const { replies } = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Explain') },
      targets: [{ model: MODEL }, { model: MODEL, preset: tutor }, { model: OTHER, preset: short }],
    })
    await answer()

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

  it('given branches whose contexts differ in their model alone, when contexts are listed, then they are one', async () => {
    const chatId = newId()
    const { replies } = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Begin'), targets: to(MODEL, OTHER) },
    })
    await answer()
    const contexts = await listContexts(services.ports, { ownerId: 'ada', chatId })
    expect(contexts.map(({ branch_ids }) => branch_ids.toSorted())).toEqual([
      replies.map(({ branchId }) => branchId).toSorted(),
    ])
  })

  it('given bad input, when a fan-out is asked for, then it is refused and nothing is written', async () => {
    const chatId = newId()
    await talk(chatId, 'Here')
    const { nodes } = await graphOf(chatId)
    const before = await rowCounts(services)
    const request = { ownerId: 'ada', chatId, message: said('No') }
    const two = to(MODEL, MODEL)
    const unreadable: Target = {
      preset: { fragments: [{ name: 'role', data: { $fragment: 1 }, enabled: true }] },
    }
    const refused = [
      [{ targets: to(MODEL) }, 'too_few_replies'],
      [{ targets: [] }, 'too_few_replies'],
      [{ targets: to(...Array.from({ length: 9 }, () => MODEL)) }, 'too_many_replies'],
      [{ targets: to(MODEL, 'missing:nothing') }, 'unknown_model'],
      [{ targets: [{ contextId: 'c1' }, { contextId: 'c2' }] }, 'unknown_context'],
      [{ targets: [{}, unreadable] }, 'invalid'],
    ] as const
    for (const [over, code] of refused) {
      await expect(fanOut(services.ports, { ...request, ...over }), code).rejects.toMatchObject({
        ...{ name: 'InvalidRequestError', code },
      })
    }
    await expect(
      fanOut(services.ports, { ...request, targets: two, expectedHead: nodes[0]?.id }),
    ).rejects.toThrow(HeadConflictError)
    await expect(fanOut(services.ports, { ...request, targets: two, branch: 'nowhere' })).rejects.toThrow(
      NotFoundError,
    )
    await expect(
      fanOut(services.ports, { ownerId: 'ada', chatId, messageId: newId(), targets: two }),
    ).rejects.toThrow(NotFoundError)
    await expect(
      fanOut(services.ports, { ownerId: 'bob', chatId, messageId: nodes[0]?.id, targets: two }),
    ).rejects.toMatchObject({ name: 'NotFoundError', what: 'chat' })
    expect(await rowCounts(services)).toEqual(before)
  })

  it('given a fan-out, when one is kept, then the chat opens on it and the others are archived; while one of them is written it is refused', async () => {
    const go = Promise.withResolvers<string>()
    world.answer = () => go.promise
    const chatId = newId()
    const { replies } = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Three'), targets: to(MODEL, MODEL, MODEL) },
    })
    const [main, kept, other] = replies.map(({ branchId }) => branchId) as [string, string, string]
    const keep = (branchId: string, ...otherIds: string[]) =>
      keepBranch(services.ports, { ownerId: 'ada', chatId, branchId, otherIds })

    await expect(keep(kept, main, other)).rejects.toThrow(ReplyInProgressError)
    const [stopped] = (await graphOf(chatId)).runs.filter(({ branchId }) => branchId === other)
    const writing = answer()
    go.resolve('Done.')
    await writing
    expect(stopped).toBeDefined()

    const before = await graphOf(chatId)
    await expect(keep(kept, kept, other)).rejects.toMatchObject({ code: 'not_siblings' })
    await expect(keep(kept, 'nowhere')).rejects.toThrow(NotFoundError)
    await expect(keep('nowhere', kept)).rejects.toThrow(NotFoundError)
    await talk(chatId, 'Further')
    await expect(keep(kept, main)).rejects.toMatchObject({ code: 'not_siblings' })
    expect((await graphOf(chatId)).branches.every(({ archivedAt }) => archivedAt === null)).toBe(true)
    expect(before.activeBranchId).toBe(main)

    const moved = await keep(kept, other)

    expect(moved.branchId).toBe(kept)
    expect(moved.delta.activeBranchId).toBe(kept)
    const archived = (await graphOf(chatId)).branches.filter(({ archivedAt }) => archivedAt !== null)
    expect(archived.map(({ id }) => id)).toEqual([other])
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
    const begun = await fanOut(services.ports, {
      ...{ ownerId: 'ada', chatId, message: said('Follow'), targets: to(MODEL, OTHER, OTHER) },
    })
    const [first, second, third] = (begun.delta.runs ?? []).map(({ runId }) => runId)
    const follow = await followReplies(services.ports, {
      ...{ ownerId: 'ada', chatId, called: chatId, messageId: begun.messageId },
    })
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

    expect(words).toEqual(
      new Map([
        [first, 'From scripted.'],
        [second, 'From other.'],
      ]),
    )
    expect(new Set(over)).toEqual(new Set([first, second, third]))
    await expect(
      followReplies(services.ports, { ownerId: 'bob', chatId, called: chatId, messageId: begun.messageId }),
    ).rejects.toThrow(NotFoundError)
  })

  it('given a thread, when a fan-out of eight is commanded twice under one key, then there is one, and eight threads end with one reply each', async () => {
    world.answer = () => 'Noted.'
    const ada = adaThreads(services)
    const { thread_id, chat_id } = await ada.create()
    await ada.talk(thread_id, 'Hello')
    const once = commandKey('eight', 'fan-out')
    const command = () =>
      fanOutOnce(services.ports, {
        ...{ ownerId: 'ada', once, threadId: thread_id, content: 'Eight' },
        targets: Array.from({ length: 8 }, () => ({})),
      })

    const [first, ...others] = await Promise.all([command(), command(), command()])
    await ada.answer()

    expect(others).toEqual([first, first])
    expect(await command()).toEqual(first)
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
    const ada = adaThreads(services)
    const { thread_id, chat_id } = await ada.create()
    const { threads } = await fanOutOnce(services.ports, {
      ...{ ownerId: 'ada', threadId: thread_id, content: 'Three', targets: to(MODEL, MODEL, MODEL) },
    })
    await ada.answer()
    const [, second, third] = threads.map((thread) => thread.thread_id) as [string, string, string]
    const once = commandKey('keep', 'keep-thread')
    const keep = () =>
      keepThreadOnce(services.ports, {
        ...{ ownerId: 'ada', once, threadId: second, otherIds: [thread_id, third] },
      })

    const kept = await keep()

    expect(kept).toMatchObject({ chat_id, thread_id: second })
    expect(await keep()).toEqual(kept)
    const archived = async () =>
      (await graphOf(chat_id)).branches.filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id)
    expect(new Set(await archived())).toEqual(new Set([thread_id, third]))
    const undone = await undoMove(services.ports, { ownerId: 'ada', chatId: chat_id })
    expect(undone).toMatchObject({ move: 'keep', branchId: thread_id })
    expect(await archived()).toEqual([])
  })

  it('given bad input, when a fan-out or a keep is commanded, then it is refused and nothing is written', async () => {
    const ada = adaThreads(services)
    const { thread_id } = await ada.create()
    await ada.send(thread_id, 'Wait')
    const before = await rowCounts(services)
    const command = (over: object) =>
      fanOutOnce(services.ports, {
        ...{ ownerId: 'ada', threadId: thread_id, content: 'No', targets: to(MODEL, MODEL) },
        ...{ once: commandKey('no', 'fan-out'), ...over },
      })
    await expect(command({})).rejects.toThrow(ReplyInProgressError)
    await expect(command({ content: ' ' })).rejects.toMatchObject({ code: 'empty_message' })
    await expect(command({ targets: to(MODEL) })).rejects.toMatchObject({ code: 'too_few_replies' })
    const missing = { name: 'NotFoundError', what: 'thread' }
    for (const over of [{ threadId: 'nowhere' }, { ownerId: 'bob' }]) {
      await expect(command(over)).rejects.toMatchObject(missing)
      const keeping = { ownerId: 'ada', threadId: thread_id, otherIds: ['x'], ...over }
      await expect(keepThreadOnce(services.ports, keeping)).rejects.toMatchObject(missing)
    }
    expect(await rowCounts(services)).toEqual(before)
    await ada.answer()
  })
})
