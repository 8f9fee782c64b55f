import { describe, expect, test } from 'vitest'
import { planAnswer, planQuestion, planReplay, type ReplayStanding, replayNext } from '@/lib/context'

const ids = () => {
  let n = 0
  return () => `new${++n}`
}
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
      ...{
        id: 'p',
        asked: 2,
        lastId: 'c2',
        anyway: false,
        status: 'running',
        reason: null,
        version: 5,
        total: 3,
      },
      ...over.replay,
    },
    branch: {
      ...{ branchId: 'b', branchName: 'main-v2', headId: id, isArchived: over.isArchived ?? false },
      head: { name: 'assistant', status: null, data: { parts: [] }, ...head },
    },
    ...{ isWriting: false, isWrittenOn: false, failure: null },
    ...over.rest,
  }
}

describe('a replay', () => {
  test('given questions, when it begins, then branch, first question, its run and the replay are one change', () => {
    const { steps, branchId } = planReplay({
      ...{ source: { branchId: 'main-1', branchName: 'main' }, before: { id: 'q2', parentId: 'a1' } },
      ...{ first: message('c2'), contextId: 'x', activate: true, newId: ids(), reply },
      replay: { id: 'p', questions: ['q2', 'q3'], content: null, model: null, anyway: false, reason: null },
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
      ...{ source: { branchId: 'main-1', branchName: 'main' }, before: { id: 'q1', parentId: null } },
      ...{ first: null, contextId: 'x', activate: false, newId: ids(), reply },
      replay: {
        id: 'p',
        questions: ['q1'],
        content: null,
        model: null,
        anyway: false,
        reason: 'A file is gone.',
      },
    })
    expect(steps.map(({ kind }) => kind)).toEqual(['open-branch', 'record', 'begin-replay'])
    expect(steps.at(-1)).toMatchObject({ replay: { asked: 0, lastId: null, status: 'paused' } })
  })

  const waiting = {
    role: 'assistant',
    parts: [{ type: 'tool-x', toolCallId: 't', state: 'approval-requested' }],
  }
  test.each<
    [string, ReplayStanding, ReturnType<typeof replayNext>['do'], ReturnType<typeof replayNext>['do']]
  >([
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
  ])(
    'given %s, then it is decided what is next, and what is when a person has it go on',
    (_, at, next, resumed) => {
      expect([replayNext(at).do, replayNext(at, true).do]).toEqual([next, resumed])
    },
  )

  test('given a reason to stop, then it is said in words', () => {
    const reasonOf = (at: ReplayStanding) => {
      const next = replayNext(at)
      return 'reason' in next ? next.reason : null
    }
    const unanswered = { head: { id: 'c2', name: 'user' } }
    expect(reasonOf(standing({ ...unanswered, rest: { failure: 'The key is wrong.' } }))).toBe(
      'Question 2 has no reply. The key is wrong.',
    )
    expect(reasonOf(standing({ rest: { isWrittenOn: true } }))).toBe('You wrote on its branch yourself.')
    expect(reasonOf(standing({ replay: { asked: 3 } }))).toBeNull()
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
    expect(planAnswer(missing, { newId: ids(), reply }).map(({ kind }) => kind)).toEqual([
      ...['queue-run', 'move-replay'],
    ])
  })
})
