import { describe, expect, test } from 'vitest'
import { planFanOut, planKeep, planRetry, planTurn } from '@/lib/context'
import { line as messageOf } from '@/testing/contracts/store/story'
import { ids } from '@/testing/worlds/counted-ids'

const branch = { branchId: 'main', branchName: 'main', headId: 'a1', context: { id: 'c0' } }
const to = (...models: string[]) => models.map((model) => ({ model, contextId: `in ${model}` }))

describe('a fan-out', () => {
  test('given a branch, when a message goes to three, then it is said once, the branch has the first reply, and each other one a branch that opens there', () => {
    const first = planTurn({ branch, messages: [messageOf('q2', { createdAt: 1 })], contextId: 'in x' })
    const plan = planFanOut({
      first,
      after: 'main',
      replyTo: 'q2',
      targets: to('x', 'y', 'x'),
      newId: ids(),
    })
    expect(plan.branchId).toBe('main')
    expect(plan.steps).toMatchObject([
      { kind: 'set-context', branchId: 'main', contextId: 'in x' },
      { kind: 'append', branchId: 'main', expectedHead: 'a1' },
      { kind: 'queue-run', branchId: 'main', replyTo: 'q2', model: 'x', contextId: 'in x' },
      {
        kind: 'open-branch',
        branchId: 'new3',
        after: 'main',
        at: 'q2',
        fork: { messageId: 'q2' },
        contextId: 'in y',
        activate: false,
      },
      { kind: 'queue-run', branchId: 'new3', replyTo: 'q2', model: 'y', contextId: 'in y' },
      { kind: 'open-branch', branchId: 'new6', contextId: 'in x', activate: false },
      { kind: 'queue-run', branchId: 'new6', replyTo: 'q2', model: 'x', contextId: 'in x' },
    ])
    // no two runs or replies have one id
    const made = plan.replies.flatMap(({ runId, replyId }) => [runId, replyId])
    expect(new Set(made).size).toBe(6)
    expect(plan.steps.some((step) => 'leaseMs' in step)).toBe(false)
  })

  test('given an answered message, when it is tried again by two, then both open a branch at it', () => {
    const newId = ids()
    const message = { id: 'q1', answered: true }
    const first = planRetry({ branch, message, contextId: 'in x', newId })
    const { steps } = planFanOut({ first, after: 'main', replyTo: 'q1', targets: to('x', 'y'), newId })
    const kinds = steps.map((step) => ('at' in step ? `${step.kind} ${step.at}` : step.kind))
    expect(kinds).toEqual(['open-branch q1', 'queue-run', 'open-branch q1', 'queue-run'])
  })

  test('given a message without a reply at the head, when it is tried again by two, then the branch takes the first', () => {
    const newId = ids()
    const message = { id: 'q1', answered: false }
    const first = planRetry({ branch: { ...branch, headId: 'q1' }, message, contextId: 'c0', newId })
    const targets = to('x', 'y')
    const { steps, replies } = planFanOut({ first, after: 'main', replyTo: 'q1', targets, newId })
    expect(steps.map(({ kind }) => kind)).toEqual(['queue-run', 'open-branch', 'queue-run'])
    expect(replies[0]?.branchId).toBe('main')
  })
})

test('given replies beside each other, when one is kept, then the chat opens on it before the others are archived', () => {
  expect(planKeep('b2', ['main', 'b3']).steps).toEqual([
    { kind: 'switch-branch', branchId: 'b2' },
    { kind: 'archive-branch', branchId: 'main' },
    { kind: 'archive-branch', branchId: 'b3' },
    { kind: 'mark-move', move: 'keep' },
  ])
})
