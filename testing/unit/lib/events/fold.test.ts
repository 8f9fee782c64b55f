import { expect, test } from 'vitest'
import type { Fact, LoggedEvent } from '@/lib/events/event'
import { BrokenLogError, fold, foldRefs } from '@/lib/events/fold'
import { logFacts } from '@/lib/events/log-facts'
import { noChat, noRefs, threadAt } from '@/lib/events/state'
import { answered, asked, CHAT, created, forked } from '@/testing/worlds/given'

const facts: Fact[] = [
  ...[created('main'), asked('main', 'q1'), ...answered('main', 'a1', { to: 'q1' })],
  ...[created('side', { head: 'q1' }), forked('side', 'main', 2), asked('side', 'q2')],
  { streamId: CHAT, type: 'BranchSwitched', payload: { branch_id: 'side', from_branch_id: 'main' } },
  {
    streamId: CHAT,
    type: 'CheckpointSaved',
    payload: { name: 'mark', message_id: 'a1', checkpoint_id: 'k1' },
  },
  { streamId: CHAT, type: 'ChatUpdated', payload: { metadata: { days: 3, by: 'train' } } },
  { streamId: CHAT, type: 'ChatUpdated', payload: { metadata: { days: 4 } } },
]
const log = logFacts(noChat(CHAT), facts, 7)

test('given a log, then threads, checkpoints and the chat are what it tells', () => {
  const state = fold(noChat(CHAT), log)
  expect(state).toMatchObject({
    chatId: CHAT,
    seq: 11,
    number: 4,
    title: null,
    activeThreadId: 'side',
    metadata: { days: 4, by: 'train' },
    createdAt: 7,
    updatedAt: 7,
  })
  const thread = { title: null, parentThreadId: null, contextId: null, createdAt: 7, archivedAt: null }
  expect([...state.threads.values()]).toEqual([
    { ...thread, id: 'main', name: 'main', fromEventNumber: 0, number: 4, headMessageId: 'a1' },
    {
      ...thread,
      id: 'side',
      name: 'side',
      parentThreadId: 'main',
      fromEventNumber: 2,
      number: 5,
      headMessageId: 'q2',
    },
  ])
  expect([...state.checkpoints.values()]).toEqual([{ id: 'k1', name: 'mark', messageId: 'a1', savedAt: 7 }])
  expect([...state.messages]).toMatchObject([
    ['q1', { threadId: 'main', eventNumber: 2, parentId: null }],
    ['a1', { threadId: 'main', eventNumber: 3, parentId: 'q1' }],
    ['q2', { threadId: 'side', eventNumber: 5, parentId: 'q1' }],
  ])
})

test('given a log, when it is folded event by event, in parts or whole, then the chat is the same', () => {
  const whole = fold(noChat(CHAT), log)
  const { messages: _messages, contexts: _contexts, headMoves: _moves, ...refs } = whole
  expect(log.reduce((state, event) => fold(state, [event]), noChat(CHAT))).toEqual(whole)
  expect(fold(fold(noChat(CHAT), log.slice(0, 5)), log.slice(5))).toEqual(whole)
  expect(foldRefs(foldRefs(noRefs(CHAT), log.slice(0, 8)), log.slice(8))).toEqual(refs)
})

test('given a state, when events follow, then the state itself stays as it was', () => {
  const before = fold(noChat(CHAT), log.slice(0, 5))
  const copy = structuredClone(before)
  fold(before, log.slice(5))
  expect(before).toEqual(copy)
})

test.each<[string, (events: LoggedEvent[]) => unknown]>([
  ['an event is missing', (events) => events.splice(2, 1)],
  ['the first events are missing', (events) => events.splice(0, 2)],
  [
    'a number of a thread is left out',
    ([, , , checkpoint]) => Object.assign(checkpoint ?? {}, { eventNumber: 5 }),
  ],
  ['a thread was never made', ([, asked]) => Object.assign(asked ?? {}, { streamId: 'nowhere' })],
  ['a fork tells two places', (events) => Object.assign(events[5]?.payload ?? {}, { from_event_number: 1 })],
])('given a log in which %s, when it is folded, then that is refused', (_what, damage) => {
  const events = structuredClone(log)
  damage(events)
  expect(() => fold(noChat(CHAT), events)).toThrow(BrokenLogError)
  expect(() => foldRefs(noRefs(CHAT), events)).toThrow(BrokenLogError)
})

test('given a thread whose context has changed, then after each of its events the one of then was in force', () => {
  const changed: Fact[] = [
    ...[created('main', { context: 'c1' }), asked('main', 'q1')],
    ...answered('main', 'a1', { context: 'c2' }),
    { streamId: 'main', type: 'ContextChanged', payload: { context_id: 'c3' } },
  ]
  const state = fold(noChat(CHAT), logFacts(noChat(CHAT), changed, 7))
  const contexts = [1, 2, 3, 4, 5].map((number) => threadAt(state, 'main', number).contextId)
  expect(contexts).toEqual(['c1', 'c1', 'c1', 'c2', 'c3'])
})
