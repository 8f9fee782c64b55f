import { expect, test } from 'vitest'
import { planAnswer, planQuestion, planReplay, type ReplayStanding, replayNext } from '@/lib/context'
import { ids } from '@/testing/worlds/counted-ids'

const begun = { id: 'p', content: null, model: null, anyway: false, reason: null }
const source = { branchId: 'main-1', branchName: 'main' }
const message = (id: string) => ({ id, name: 'user', data: { id }, preview: id, createdAt: 1 })
const reply = { runId: 'r', replyId: 'a', model: 'demo:demo' }

/** A replay of three questions of which two were asked, at the whole reply to the second. */
const standing = (
  over: {
    replay?: Partial<ReplayStanding['replay']>
    head?: Partial<NonNullable<ReplayStanding['branch']['head']>> & { id?: string }
    rest?: Partial<Omit<ReplayStanding, 'replay' | 'branch'>>
    isArchived?: boolean
  } = {},
): ReplayStanding => {
  const { id = 'a2', ...head } = over.head ?? {}
  return {
    replay: {
      id: 'p',
      asked: 2,
      lastId: 'c2',
      anyway: false,
      status: 'running',
      reason: null,
      version: 5,
      total: 3,
      ...over.replay,
    },
    branch: {
      branchId: 'b',
      branchName: 'main-v2',
      headId: id,
      isArchived: over.isArchived ?? false,
      head: { name: 'assistant', status: null, data: { parts: [] }, ...head },
    },
    isWriting: false,
    isWrittenOn: false,
    failure: null,
    ...over.rest,
  }
}

test('given questions, when it begins, then branch, first question, its run and the replay are one change', () => {
  const { steps, branchId } = planReplay({
    source,
    before: { id: 'q2', parentId: 'a1' },
    first: message('c2'),
    contextId: 'x',
    activate: true,
    newId: ids(),
    reply,
    replay: { ...begun, questions: ['q2', 'q3'] },
  })
  expect(branchId).toBe('new1')
  expect(steps).toMatchObject([
    { kind: 'open-branch', branchId, at: 'a1', fork: { messageId: 'q2', before: true }, contextId: 'x' },
    { kind: 'record', fact: { type: 'ReplayStarted' } },
    { kind: 'append', branchId, expectedHead: 'a1', messages: [{ id: 'c2' }] },
    { kind: 'queue-run', branchId, replyTo: 'c2', model: 'demo:demo' },
    { kind: 'begin-replay', branchId, replay: { asked: 1, lastId: 'c2', status: 'running' } },
  ])
})

test('given nothing to ask yet, when it begins, then it is paused on an empty branch', () => {
  const { steps } = planReplay({
    source,
    before: { id: 'q1', parentId: null },
    first: null,
    contextId: 'x',
    activate: false,
    newId: ids(),
    reply,
    replay: { ...begun, questions: ['q1'], reason: 'A file is gone.' },
  })
  expect(steps.map(({ kind }) => kind)).toEqual(['open-branch', 'record', 'begin-replay'])
  expect(steps.at(-1)).toMatchObject({ replay: { asked: 0, lastId: null, status: 'paused' } })
})

const call = { type: 'tool-x', toolCallId: 't', state: 'approval-requested' }
const waiting = { role: 'assistant', parts: [call] }
type Next = ReturnType<typeof replayNext>['do']
test.each<[string, ReplayStanding, Next, Next]>([
  ['a whole reply', standing(), 'ask', 'ask'],
  ['the last reply', standing({ replay: { asked: 3 } }), 'end', 'end'],
  ['a reply on its way', standing({ rest: { isWriting: true } }), 'wait', 'wait'],
  ['no reply', standing({ head: { id: 'c2', name: 'user' } }), 'pause', 'answer'],
  ['a reply that broke off', standing({ head: { status: 'failed' } }), 'pause', 'answer'],
  ['a reply that was stopped', standing({ head: { status: 'stopped' } }), 'pause', 'answer'],
  ['a tool that waits', standing({ head: { data: waiting } }), 'pause', 'pause'],
  ['an archived branch', standing({ isArchived: true }), 'pause', 'pause'],
  ['a message of the person', standing({ rest: { isWrittenOn: true } }), 'end', 'end'],
  ['nothing asked yet', standing({ replay: { asked: 0, lastId: null } }), 'ask', 'ask'],
])('given %s, then what is next is decided, and what when a person goes on', (_, at, next, resumed) => {
  expect([replayNext(at).do, replayNext(at, true).do]).toEqual([next, resumed])
})

test('given a reason to stop, then it is said in words', () => {
  const unanswered = { head: { id: 'c2', name: 'user' }, rest: { failure: 'The key is wrong.' } }
  const reason = 'Question 2 has no reply. The key is wrong.'
  expect(replayNext(standing(unanswered))).toMatchObject({ reason })
  const written = standing({ rest: { isWrittenOn: true } })
  expect(replayNext(written)).toMatchObject({ reason: 'You wrote on its branch yourself.' })
  expect(replayNext(standing({ replay: { asked: 3 } }))).not.toHaveProperty('reason', expect.anything())
})

test('given the next question, then it, its run and how far the replay has come are one change', () => {
  expect(planQuestion(standing(), { message: message('c3'), reply })).toMatchObject([
    { kind: 'append', branchId: 'b', expectedHead: 'a2', messages: [{ id: 'c3' }] },
    { kind: 'queue-run', branchId: 'b', replyTo: 'c3' },
    { kind: 'move-replay', branchId: 'b', replay: { version: 5, asked: 3, lastId: 'c3', reason: null } },
  ])
})

test('given a reply in part, when it is tried again, then the replay goes on on a branch of its own', () => {
  const partial = standing({ head: { status: 'failed' } })
  expect(planAnswer(partial, { newId: ids(), reply })).toMatchObject([
    { kind: 'open-branch', branchId: 'new1', at: 'c2' },
    { kind: 'queue-run', branchId: 'new1', replyTo: 'c2' },
    { kind: 'move-replay', branchId: 'new1', replay: { asked: 2, status: 'running' } },
  ])
  const missing = standing({ head: { id: 'c2', name: 'user' } })
  const kinds = planAnswer(missing, { newId: ids(), reply }).map(({ kind }) => kind)
  expect(kinds).toEqual(['queue-run', 'move-replay'])
})
