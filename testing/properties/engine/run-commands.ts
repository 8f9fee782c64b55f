import fc from 'fast-check'
import { type FinishRun, HeadConflictError, ReplyInProgressError, type Step } from '@/lib/context'
import { newId } from '@/lib/events'
import { chatIn, command, index, pick, type WeightedCommands } from './command'
import { append, type Model, openBranch } from './model'
import { idOf } from './predict-save'
import { outcome } from './world'

const hasRun = (model: Readonly<Model>): boolean => (model.chat?.runs.length ?? 0) > 0

/** A reply is asked for: to the head, or to a message that a branch has left behind. */
const queueRun = command(
  'queueRun',
  fc.record({ index, stale: fc.boolean() }),
  async ({ index, stale }, model, world) => {
    const chat = chatIn(model)
    const branch = pick(
      chat.branches.filter(({ head }) => head),
      index,
    )
    const replyTo = stale ? pick(chat.messages, index) : branch.head
    if (!replyTo) throw new Error('the branch has a head')
    const isBusy = chat.runs.some((run) => run.live && run.branch === branch)
    const refusal = replyTo !== branch.head ? HeadConflictError : isBusy ? ReplyInProgressError : undefined
    const run = { id: newId(), branch, replyTo, replyId: model.fresh('r'), live: true }
    const step = { runId: run.id, branchId: idOf(branch), replyTo: idOf(replyTo), replyId: run.replyId }
    await outcome(refusal, world.commit({ kind: 'queue-run', ...step, model: 'demo:demo', leaseMs: 60_000 }))
    if (!refusal) chat.runs.push(run)
  },
  (model) => model.chat?.branches.some(({ head }) => head) ?? false,
)

/** A reply ends, with text or without, on a branch of its own where its branch has moved on; and never again. */
const finishRun = command(
  'finishRun',
  fc.record({
    index,
    status: fc.constantFrom<FinishRun['status']>('completed', 'stopped', 'failed'),
    said: fc.boolean(),
  }),
  async ({ index, status, said }, model, world) => {
    const chat = chatIn(model)
    const run = pick(chat.runs, index)
    const { branch, replyTo, replyId } = run
    const text = `reply ${replyId}`
    const data = { id: replyId, role: 'assistant', parts: [{ type: 'text', text }] }
    const reply: Step = {
      kind: 'append',
      branchId: idOf(branch),
      expectedHead: idOf(replyTo),
      orBranchId: newId(),
      messages: [
        {
          id: replyId,
          name: 'assistant',
          type: 'message',
          data,
          preview: text,
          runId: run.id,
          createdAt: Date.now(),
          reply: { model: 'demo:demo', usage: null },
          ...(status === 'completed' ? {} : { status }),
        },
      ],
    }
    const hasText = said || status === 'completed'
    const end: Step = { kind: 'finish-run', runId: run.id, fence: 1, status }
    await outcome(run.live ? undefined : Error, world.commit(...(hasText ? [reply] : []), end))
    if (!run.live) return
    run.live = false
    if (!hasText) return
    const place = branch.head === replyTo ? branch : openBranch(chat, branch.name, replyTo, branch.context)
    append(chat, place, { id: replyId, role: 'assistant', text })
  },
  hasRun,
)

export const runCommands: WeightedCommands = [
  { weight: 5, arbitrary: queueRun },
  { weight: 5, arbitrary: finishRun },
]
