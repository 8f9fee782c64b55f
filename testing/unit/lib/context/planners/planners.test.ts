import { describe, expect, test } from 'vitest'
import * as context from '@/lib/context'
import { line as messageOf } from '@/testing/contracts/store/story'
import { ids } from '@/testing/worlds/counted-ids'

const { HeadConflictError, planArchive, planBtw, planCheckpoint, planEdit, planEnding } = context
const { planFirstTurn, planRetry, planRewind, planTurn } = context

const line = (id: string) => messageOf(id, { createdAt: 1 })
const branch = { branchId: 'main', branchName: 'main', headId: 'a1' }

describe('a turn', () => {
  test('given a branch, when a message is said, then it goes below the head', () => {
    const { steps, branchId } = planTurn({ branch, messages: [line('q2')] })
    expect(branchId).toBe('main')
    expect(steps).toEqual([{ kind: 'append', branchId: 'main', expectedHead: 'a1', messages: [line('q2')] }])
  })

  test('given another context than the branch has, when a message is said, then it comes into force first', () => {
    const inContext = { ...branch, context: { id: 'c1' } }
    const kinds = (contextId: string) =>
      planTurn({ branch: inContext, messages: [line('q2')], contextId }).steps.map(({ kind }) => kind)
    expect(kinds('c1')).toEqual(['append'])
    expect(kinds('c2')).toEqual(['set-context', 'append'])
  })

  test('given an archived branch, when a message is said, then the branch is restored and the chat opens on it', () => {
    const { steps } = planTurn({ branch: { ...branch, isArchived: true }, messages: [line('q2')] })
    expect(steps.map(({ kind }) => kind)).toEqual(['unarchive-branch', 'switch-branch', 'append'])
  })

  test('given a branch that has moved on, when the client says which head it saw, then the turn is refused', () => {
    const turn = { branch, messages: [line('q2')] }
    expect(() => planTurn({ ...turn, expectedHead: 'a0' })).toThrow(HeadConflictError)
    expect(planTurn({ ...turn, expectedHead: 'a1' }).steps).toHaveLength(1)
  })

  test('given no chat, when the first message is said, then the chat and its branch are made with it', () => {
    const chat = { userId: 'ada', title: 'Trip', branchId: 'b1', contextId: 'c1' }
    const { create, steps } = planFirstTurn({ ...chat, message: line('q1') })
    expect(create).toEqual(chat)
    expect(steps).toMatchObject([{ kind: 'append', branchId: 'b1', expectedHead: null }])
  })
})

describe('an edit', () => {
  test.each([
    ['a message', 'a1'],
    ['the first message, then a new root', null],
  ])('given %s, when it is edited, then the new one stands on a branch before it', (_what, parentId) => {
    const edited = { id: 'q2', parentId }
    const { steps, branchId } = planEdit({ after: 'main', edited, messages: [line('q9')], newId: ids() })
    expect(branchId).toBe('new1')
    expect(steps).toMatchObject([
      { kind: 'open-branch', after: 'main', at: parentId, fork: { messageId: 'q2', before: true } },
      { kind: 'append', branchId: 'new1', expectedHead: parentId },
    ])
  })
})

describe('a retry', () => {
  test('given a head without a reply, when it is tried again, then it stays on its branch', () => {
    const unanswered = { branch: { ...branch, headId: 'q2' }, message: { id: 'q2', answered: false } }
    expect(planRetry({ ...unanswered, newId: ids() })).toEqual({ steps: [], branchId: 'main' })
  })

  test('given a head without a reply, when it is tried again in another context, then the branch goes on in that', () => {
    const { steps } = planRetry({
      branch: { ...branch, headId: 'q2', context: { id: 'c1' } },
      message: { id: 'q2', answered: false },
      contextId: 'c2',
      newId: ids(),
    })
    const step = { kind: 'set-context', branchId: 'main', expectedContextId: 'c1', contextId: 'c2' }
    expect(steps).toEqual([step])
  })

  test.each([
    ['a message with a reply', 'q2', true],
    ['a message above the head', 'a1', false],
  ])('given %s, when it is tried again, then a branch opens at it', (_what, headId, answered) => {
    const message = { id: 'q2', answered }
    const plan = planRetry({ branch: { ...branch, headId }, message, contextId: 'c2', newId: ids() })
    const open = { kind: 'open-branch', branchId: 'new1', after: 'main', at: 'q2' }
    expect(plan.steps).toEqual([{ ...open, fork: { messageId: 'q2' }, contextId: 'c2', activate: true }])
  })
})

describe('moves', () => {
  test('given a message, when the engine rewinds, then a branch opens; an empty one there is reused', () => {
    const rewind = { after: 'main', messageId: 'q1', newId: ids() }
    expect(planRewind(rewind).steps).toMatchObject([
      { kind: 'open-branch', at: 'q1', activate: true },
      { kind: 'mark-move', move: 'branch' },
    ])
    const reused = planRewind({ ...rewind, emptyBranchId: 'b2' })
    const [switched, marked] = [
      { kind: 'switch-branch', branchId: 'b2' },
      { kind: 'mark-move', move: 'switch' },
    ]
    expect(reused).toEqual({ steps: [switched, marked], branchId: 'b2' })
  })

  test('given a head, when something is asked by the way, then the branch has its context and the chat stays', () => {
    const here = { name: 'main', headMessageId: 'a1', contextId: 'c1' }
    const { steps } = planBtw({ branch: here, newId: ids() })
    expect(steps).toMatchObject([
      { kind: 'open-branch', at: 'a1', contextId: 'c1', activate: false },
      { kind: 'mark-move', move: 'branch' },
    ])
    const empty = { ...here, headMessageId: null }
    expect(() => planBtw({ branch: empty, newId: ids() })).toThrow('no messages in conversation')
  })

  test('given no message, when a checkpoint is saved, then it is refused', () => {
    const save = { name: 'mark', newId: ids() }
    expect(() => planCheckpoint({ ...save, messageId: null })).toThrow('no messages in conversation')
    expect(planCheckpoint({ ...save, messageId: 'q1' })).toEqual([
      { kind: 'save-checkpoint', checkpointId: 'new1', name: 'mark', messageId: 'q1' },
      { kind: 'mark-move', move: 'checkpoint' },
    ])
  })

  test('given the active branch, when it is archived, then the chat opens on another one first', () => {
    const kinds = planArchive('b1', 'b2').map(({ kind }) => kind)
    expect(kinds).toEqual(['switch-branch', 'archive-branch', 'mark-move'])
  })
})

describe('the end of a run', () => {
  const run = {
    chatId: 'c',
    runId: 'r',
    branchId: 'main',
    replyTo: 'q1',
    replyId: 'a1',
    model: 'demo:demo',
    contextId: null,
    fence: 2,
    attempt: 1,
    status: 'running' as const,
  }
  const reply = { data: { id: 'a1', role: 'assistant', parts: [] }, createdAt: 7, usage: null }

  test('given a reply, when the run ends, then both are one write, and a late reply has a branch to go to', () => {
    const [append, end] = planEnding(run, { status: 'stopped', reply, newId: ids() })
    expect(append).toMatchObject({ kind: 'append', expectedHead: 'q1', orBranchId: 'new1' })
    expect(append).toMatchObject({ messages: [{ id: 'a1', status: 'stopped', runId: 'r' }] })
    expect(end).toMatchObject({ kind: 'finish-run', runId: 'r', fence: 2, status: 'stopped' })
  })

  test('given no reply, when the run ends, then only that is written', () => {
    const error = { kind: 'network', message: 'gone', advice: 'try again' }
    const steps = planEnding(run, { status: 'failed', error, newId: ids() })
    expect(steps).toEqual([{ kind: 'finish-run', runId: 'r', fence: 2, status: 'failed', error }])
  })
})
