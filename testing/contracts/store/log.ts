import { expect, test } from 'vitest'
import { newId, parseEvent } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeLog(getStore: GetStore): void {
  test('given a scripted history, when the log is read, then it holds exactly these events', async () => {
    const owner = await Story.begin(getStore())
    const chatId = newId()
    const named = (name: string) => `${name}:${chatId}`
    const [M, B, C, D, R] = [named('main'), named('b'), named('c'), named('d'), named('run')]
    const fork = { kind: 'open-branch', after: 'main' } as const
    const append = { kind: 'append', branchId: M } as const
    const mark = { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark' } as const
    const reply = { model: 'demo:demo', usage: { inputTokens: 3, outputTokens: 5 } }
    const unknown = { model: null, usage: null }
    const steps = [
      [{ ...append, expectedHead: null, messages: [line('q1'), line('a1', { reply })] }],
      [{ ...fork, branchId: B, at: 'q1', fork: { messageId: 'q1' }, activate: true }],
      [{ ...append, branchId: B, expectedHead: 'q1', messages: [line('a2', { status: 'stopped' })] }],
      [
        { ...fork, branchId: C, at: null, fork: { messageId: 'q1', before: true }, activate: false },
        { ...append, branchId: C, expectedHead: null, messages: [line('q1b', { name: 'system' })] },
      ],
      [
        { kind: 'rename-branch', branchId: B, name: 'short' },
        { kind: 'archive-branch', branchId: C },
        { kind: 'unarchive-branch', branchId: C },
        { kind: 'switch-branch', branchId: M },
        { ...mark, messageId: 'a1' },
        { ...mark, messageId: 'q1' },
        { kind: 'remove-checkpoint', name: 'mark' },
        { kind: 'update-chat', title: 'Rome', metadata: { days: 3 } },
      ],
      // what changes nothing says nothing
      [
        { kind: 'rename-branch', branchId: B, name: 'short' },
        { kind: 'unarchive-branch', branchId: C },
        { kind: 'switch-branch', branchId: M },
        { kind: 'update-chat', title: 'Rome' },
      ],
      [
        { ...append, expectedHead: 'a1', messages: [line('q2')] },
        {
          kind: 'queue-run',
          runId: R,
          branchId: M,
          replyTo: 'q2',
          replyId: 'a3',
          model: 'demo:demo',
          leaseMs: 30_000,
        },
      ],
      [{ ...append, expectedHead: 'q2', messages: [line('q3')] }],
      [
        { ...append, orBranchId: D, expectedHead: 'q2', messages: [line('a3', { status: 'failed' })] },
        {
          kind: 'finish-run',
          runId: R,
          fence: 1,
          status: 'failed',
          error: { kind: 'provider', message: 'gone', advice: 'try again' },
        },
      ],
    ] as Parameters<Story['commit']>[0][]
    const create = { userId: owner.userId, title: 'Trip', metadata: { from: 'test' }, branchId: M }

    await owner.commit([], { chatId, create })
    for (const part of steps) await owner.commit(part, { chatId })

    const events = await owner.store.getEvents(chatId)
    const told = events.map((e) => [e.streamId, e.eventNumber, e.type, e.payload])
    expect(told).toEqual([
      [M, 1, 'ThreadCreated', { thread_id: M, name: 'main', head_message_id: null, context_id: null }],
      [chatId, 1, 'ChatRenamed', { title: 'Trip' }],
      [chatId, 2, 'ChatUpdated', { metadata: { from: 'test' } }],
      [M, 2, 'UserMessageAdded', { message_id: 'q1', role: 'user' }],
      [M, 3, 'LLMResponseGenerated', { ai_message_id: 'a1', reply_to: 'q1', status: 'completed', ...reply }],
      [M, 4, 'CheckpointCreated', { checkpoint_id: 'ckpt-a1', ai_message_id: 'a1', context_id: null }],
      [B, 3, 'ThreadCreated', { thread_id: B, name: 'main-v2', head_message_id: 'q1', context_id: null }],
      [B, 4, 'ThreadForked', { parent_thread_id: M, from_event_number: 2 }],
      [chatId, 3, 'BranchSwitched', { branch_id: B, from_branch_id: M }],
      [B, 5, 'LLMResponseGenerated', { ai_message_id: 'a2', reply_to: 'q1', status: 'stopped', ...unknown }],
      [B, 6, 'CheckpointCreated', { checkpoint_id: 'ckpt-a2', ai_message_id: 'a2', context_id: null }],
      [C, 1, 'ThreadCreated', { thread_id: C, name: 'main-v3', head_message_id: null, context_id: null }],
      [C, 2, 'ThreadForked', { parent_thread_id: M, from_event_number: 0 }],
      [C, 3, 'UserMessageAdded', { message_id: 'q1b', role: 'system' }],
      [chatId, 4, 'BranchRenamed', { branch_id: B, name: 'short', previous_name: 'main-v2' }],
      [chatId, 5, 'BranchArchived', { branch_id: C }],
      [chatId, 6, 'BranchRestored', { branch_id: C }],
      [chatId, 7, 'BranchSwitched', { branch_id: M, from_branch_id: B }],
      [chatId, 8, 'CheckpointSaved', { name: 'mark', message_id: 'a1', checkpoint_id: mark.checkpointId }],
      [chatId, 9, 'CheckpointMoved', { name: 'mark', message_id: 'q1', from_message_id: 'a1' }],
      [chatId, 10, 'CheckpointRemoved', { name: 'mark', message_id: 'q1' }],
      [chatId, 11, 'ChatRenamed', { title: 'Rome' }],
      [chatId, 12, 'ChatUpdated', { metadata: { days: 3 } }],
      [M, 5, 'UserMessageAdded', { message_id: 'q2', role: 'user' }],
      [M, 6, 'UserMessageAdded', { message_id: 'q3', role: 'user' }],
      // the name main-v2 is free again; q2 was number 5 on main
      [D, 6, 'ThreadCreated', { thread_id: D, name: 'main-v2', head_message_id: 'q2', context_id: null }],
      [D, 7, 'ThreadForked', { parent_thread_id: M, from_event_number: 5 }],
      [D, 8, 'LLMResponseGenerated', { ai_message_id: 'a3', reply_to: 'q2', status: 'failed', ...unknown }],
      [D, 9, 'CheckpointCreated', { checkpoint_id: 'ckpt-a3', ai_message_id: 'a3', context_id: null }],
      [D, 10, 'ReplyFailed', { run_id: R, reply_to: 'q2', reason: 'gone' }],
    ])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(events.every((e) => e.chatId === chatId && e.createdAt > 0)).toBe(true)
    expect(events.map(({ type, version }) => [type, version])).toEqual(
      events.map(({ type }) => [type, type === 'CheckpointSaved' ? 2 : 1]),
    )
    for (const event of events) expect(parseEvent(event)).toEqual(event)
  })

  test('given a log, when read from a number or for one stream, then only that part comes', async () => {
    const story = await Story.begin(getStore())
    const { seq } = await story.say(story.main, null, 'q1')
    const branchId = await story.fork('q1', { activate: true })
    const { store, chatId } = story

    expect(await store.getEvents(chatId, { after: seq })).toMatchObject([
      { type: 'ThreadCreated' },
      { type: 'ThreadForked' },
      { type: 'BranchSwitched' },
    ])
    expect(await store.getEvents(chatId, { streamId: chatId })).toMatchObject([{ type: 'BranchSwitched' }])
    expect(await store.getEvents(chatId, { after: seq + 1, streamId: branchId })).toMatchObject([
      { type: 'ThreadForked' },
    ])
    expect(await store.getEvents(chatId, { after: 1000 })).toEqual([])
  })

  test('given a branch, when its context changes, then the log says so and its messages carry it', async () => {
    const store = getStore()
    const [userId, chatId, branchId] = [newId(), newId(), newId()]
    await store.upsertChat({ id: newId(), userId })
    const context = (id: string) => ({ id, fragments: [], model: id })
    const say = (id: string, expectedHead: string | null, over = {}) =>
      store.commit({
        chatId,
        at: 1,
        create: { userId, branchId, contextId: 'first' },
        contexts: [context('first'), context('second')],
        steps: [{ kind: 'append', branchId, expectedHead, messages: [line(id)], ...over }],
      })

    await say('q1', null)
    await say('q2', 'q1', { contextId: 'first' })
    await say('q3', 'q2', { contextId: 'second' })
    await say('q4', 'q3')

    const events = await store.getEvents(chatId)
    expect(events.map(({ eventNumber }) => eventNumber)).toEqual([1, 2, 3, 4, 5, 6])
    const said = 'UserMessageAdded'
    expect(events.map(({ type }) => type)).toEqual([
      ...['ThreadCreated', said, said, 'ContextChanged', said, said],
    ])
    expect(events[0]?.payload).toMatchObject({ context_id: 'first' })
    expect(events[3]?.payload).toEqual({ context_id: 'second' })
    const chain = await store.getMessageChain(chatId, 'q4')
    expect(chain.map((message) => message.contextId)).toEqual(['first', 'first', 'second', 'second'])
    expect((await store.getActiveBranch(chatId))?.contextId).toBe('second')
  })

  test('given a change whose steps have dates of their own, when it is written, then everything in it is of its step’s date', async () => {
    const store = getStore()
    const [userId, chatId, M, B] = [newId(), newId(), newId(), newId()]
    await store.upsertChat({ id: newId(), userId })
    await store.commit({
      chatId,
      at: 9000,
      create: { userId, branchId: M, title: 'Rome', at: 1000 },
      steps: [
        { kind: 'append', branchId: M, expectedHead: null, messages: [line('q1')], dated: 2000 },
        {
          kind: 'append',
          branchId: M,
          expectedHead: 'q1',
          dated: 2000,
          messages: [line('a1', { dated: 2100 }), line('q2')],
        },
        { kind: 'open-branch', branchId: B, after: 'main', at: 'q1', activate: false, dated: 3000 },
        { kind: 'mark-move', move: 'branch', since: 6, dated: 3000 },
        { kind: 'archive-branch', branchId: B, dated: 4000 },
        { kind: 'save-checkpoint', checkpointId: newId(), name: 'mark', messageId: 'q1', dated: 5000 },
        { kind: 'mark-move', move: 'checkpoint', since: 8 },
      ],
    })
    const events = await store.getEvents(chatId)
    expect(events.map(({ createdAt }) => createdAt)).toEqual([
      1000, 1000, 2000, 2100, 2100, 2000, 3000, 3000, 4000, 5000, 9000,
    ])
    expect(events.flatMap(({ type, payload }) => (type === 'MoveMade' ? [payload] : []))).toMatchObject([
      { move: 'branch', first_seq: 7, previous: null },
      { move: 'checkpoint', first_seq: 9, previous: 8 },
    ])
    expect(await store.getChat(chatId)).toMatchObject({ createdAt: 1000, updatedAt: 9000 })
    expect(await store.getBranch(chatId, B)).toMatchObject({ createdAt: 3000, archivedAt: 4000 })
    expect(await store.getCheckpoint(chatId, 'mark')).toMatchObject({ createdAt: 5000 })
  })
}
