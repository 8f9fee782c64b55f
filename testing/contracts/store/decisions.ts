import { expect, test } from 'vitest'
import {
  type AppendMessages,
  BranchActiveError,
  type BranchData,
  type Committed,
  ContextMovedError,
  HeadConflictError,
  InvalidDataError,
  jsonEqual,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
  planForkThread,
  ReplyInProgressError,
  RunOverError,
  type Step,
} from '@/lib/context'
import { fold, newId, noChat, threadAt } from '@/lib/events'
import { checkFold } from '@/testing/properties/engine/check-fold'
import { Decided } from '@/testing/properties/engine/decided'
import { type GetStore, line, Story } from './story'

type Refusal = new (...args: never[]) => Error

/** Given q1 and a1 on main, then a question in another context, and a reply that remembered something. */
async function beginInContexts(getStore: GetStore): Promise<Story> {
  const story = await Story.saying(getStore(), 'q1', 'a1')
  const contexts = ['first', 'second', 'third'].map((id) => ({ id, fragments: [], model: id }))
  const append = { kind: 'append', branchId: story.main } as const
  const reply = line('a0', { contextId: 'third' })
  await story.commit(
    [
      { ...append, expectedHead: 'a1', contextId: 'first', messages: [line('q0')] },
      { ...append, expectedHead: 'q0', contextId: 'second', messages: [reply] },
    ],
    { contexts },
  )
  return story
}

/** The refs of a chat, as a change answers with those that it touched. */
async function refsOf({ store, chatId }: Story) {
  const branches = await store.listBranches(chatId)
  const checkpoints = await store.listCheckpoints(chatId)
  return { branches, checkpoints, names: checkpoints.map(({ name }) => name) }
}

type Refs = Awaited<ReturnType<typeof refsOf>>

const notIn =
  <Ref>(refs: readonly Ref[]) =>
  (one: Ref) =>
    !refs.some((other) => jsonEqual(one, other))
/** What the branches of a chat and those of a change have in common. */
const withoutState = (branches: readonly (BranchData | Committed['branches'][number])[]) =>
  branches.map((branch) => ({ ...branch, isActive: null, headLane: null, headDepth: null }))

/** Then a change has answered with all refs that are others now, as they are now. */
function expectAnswered(done: Committed, before: Refs, after: Refs, command: string): void {
  const branches = withoutState(done.branches)
  const moved = withoutState(after.branches.filter(notIn(before.branches)))
  expect(branches, command).toEqual(expect.arrayContaining(moved))
  expect(withoutState(after.branches), command).toEqual(expect.arrayContaining(branches))
  expect(done.checkpoints, command).toEqual(after.checkpoints.filter(notIn(before.checkpoints)))
  expect(done.removedCheckpoints, command).toEqual(before.names.filter(notIn(after.names)))
}

const append = (branchId: string, expectedHead: string | null, ...ids: string[]): AppendMessages => ({
  kind: 'append',
  branchId,
  expectedHead,
  messages: ids.map((id) => line(id)),
})

export function describeDecisions(getStore: GetStore): void {
  test('given threads, when they are forked after each of their events, then the store logs what was decided, and refuses what was refused', async () => {
    const story = await beginInContexts(getStore)
    const { main, store, chatId } = story
    const [fork, deep] = [newId(), newId()]
    const decided = new Decided()
    let state = fold(noChat(chatId), await store.getEvents(chatId))
    const commit = async (steps: Step[]) => {
      await decided.commit(store, { chatId, at: 1, steps }, () => story.commit(steps))
      state = (await checkFold(store, chatId, state)) ?? state
    }
    const forkAt = (threadId: string, eventNumber: number, newThreadId = newId()) => {
      const thread = state.threads.get(threadId)
      if (!thread) throw new Error(`There is no thread ${threadId}`)
      const stand = threadAt(state, threadId, eventNumber)
      return commit(planForkThread(thread, { newThreadId, eventNumber }, stand))
    }
    const forkAtEach = async (threadId: string, events: number) => {
      for (let number = 1; number <= events; number += 1) await forkAt(threadId, number)
      await story.refuses(() => forkAt(threadId, events + 1), NotFoundError)
    }

    // main has 9 events, and after each of them another context may be in force
    await forkAtEach(main, 9)
    await commit([append(main, 'a0', 'q2')])
    await forkAt(main, 4, fork)
    await forkAt(fork, 6, deep)
    await commit([append(deep, state.threads.get(deep)?.headMessageId ?? null, 'q4')])
    await forkAtEach(fork, 6)
    await forkAtEach(deep, 9)
  })

  test('given a chat, when steps are carried out, then the store logs what was decided, moves the refs as told, and answers with them; or refuses', async () => {
    const story = await beginInContexts(getStore)
    const { main, store, chatId } = story
    const other = await Story.begin(store, story.userId)
    const [side, late, answer, partial] = [newId(), newId(), newId(), newId()]
    const open = { kind: 'open-branch', after: 'main', activate: false } as const
    const opened = (...[at, fork, more]: [string | null, object?, object?]): Step => ({
      ...open,
      branchId: newId(),
      at,
      ...(fork && { fork: fork as never }),
      ...more,
    })
    const rename = (branchId: string, name: string): Step => ({ kind: 'rename-branch', branchId, name })
    const title = (branchId: string, to: string): Step => ({ kind: 'title-branch', branchId, title: to })
    const save = (name: string, messageId: string): Step => ({
      kind: 'save-checkpoint',
      checkpointId: newId(),
      name,
      messageId,
    })
    const context = (branchId: string, expectedContextId: string | null, contextId: string): Step => ({
      kind: 'set-context',
      branchId,
      expectedContextId,
      contextId,
    })
    const queue = (runId: string, branchId: string, replyTo: string, more: object = {}): Step => ({
      kind: 'queue-run',
      runId,
      branchId,
      replyTo,
      replyId: `a-${runId}`,
      model: 'demo:demo',
      ...more,
    })
    const finish = (runId: string, fence: number, status: 'completed' | 'stopped' = 'stopped'): Step => ({
      kind: 'finish-run',
      runId,
      fence,
      status,
    })
    const steps: [Step, Refusal?][] = [
      // messages
      [append(main, 'a0', 'q2')],
      [append(main, 'a0', 'q3'), HeadConflictError],
      [append(main, null, 'q3'), HeadConflictError],
      [append(main, 'nowhere', 'q3'), NotFoundError],
      [append(newId(), null, 'q3'), NotFoundError],
      [append(main, 'q2', 'q1'), MessageExistsError],
      [append(main, 'q2', 'q3', 'q3'), MessageExistsError],
      [append(main, 'q2'), InvalidDataError],
      [{ ...append(main, 'a0', 'a2'), orBranchId: late }],
      // branches
      [{ ...open, branchId: side, at: 'a1', fork: { messageId: 'a1' } }],
      [opened('q1', { messageId: 'a1', before: true })],
      [opened(null, { messageId: 'q1', before: true }, { activate: true })],
      [opened('a0', { messageId: 'a0' })],
      [opened('q0', { messageId: 'q0' }, { contextId: 'third' })],
      [opened('q0', { messageId: 'q0' }, { noContext: true })],
      [opened('q1', undefined, { name: 'main' }), NameTakenError],
      [opened('q1', undefined, { branchId: chatId }), InvalidDataError],
      [opened('nowhere'), NotFoundError],
      [opened(null, { messageId: 'nowhere', before: true }), NotFoundError],
      [opened('q2', { threadId: main, eventNumber: 11 }), NotFoundError],
      [opened(null, { threadId: newId(), eventNumber: 1 }), NotFoundError],
      [opened(null, { threadId: chatId, eventNumber: 1 }), NotFoundError],
      [opened(null, { threadId: other.main, eventNumber: 1 }), NotFoundError],
      ...[0, -1, 1.5, 2 ** 31, Number.NaN].map((eventNumber): [Step, Refusal] => [
        opened(null, { threadId: main, eventNumber }),
        InvalidDataError,
      ]),
      // the thread stood at q1 then
      [opened('a1', { threadId: main, eventNumber: 2 }), Error],
      [opened(null, { threadId: main, eventNumber: 2 }), Error],
      [{ kind: 'switch-branch', branchId: main }],
      [{ kind: 'switch-branch', branchId: side }],
      [{ kind: 'switch-branch', branchId: side }],
      [{ kind: 'switch-branch', branchId: newId() }, NotFoundError],
      [{ kind: 'archive-branch', branchId: side }, BranchActiveError],
      [{ kind: 'archive-branch', branchId: late }],
      [{ kind: 'archive-branch', branchId: late }],
      [{ kind: 'unarchive-branch', branchId: late }],
      [{ kind: 'unarchive-branch', branchId: late }],
      [rename(side, 'main'), NameTakenError],
      [rename(side, 'train')],
      [rename(side, 'train')],
      [rename(side, ''), InvalidDataError],
      [rename(side, 'n'.repeat(201)), InvalidDataError],
      [rename(late, 'n'.repeat(200))],
      [title(side, ''), InvalidDataError],
      [title(side, 't'.repeat(201)), InvalidDataError],
      [title(side, 'By train')],
      [title(side, 'another one')],
      [title(newId(), 'nowhere'), NotFoundError],
      [context(side, null, 'third'), ContextMovedError],
      [context(side, 'second', 'first')],
      [context(side, 'second', 'third'), ContextMovedError],
      [context(main, 'second', 'third')],
      [context(main, 'second', 'third')],
      [context(main, 'second', 'first'), ContextMovedError],
      [context(newId(), null, 'first'), NotFoundError],
      // checkpoints and the chat
      [save('mark', 'q1')],
      [save('mark', 'q2')],
      [save('mark', 'nowhere'), NotFoundError],
      [save('', 'q1'), InvalidDataError],
      [save('other', 'a1')],
      [{ kind: 'remove-checkpoint', name: 'mark' }],
      [{ kind: 'remove-checkpoint', name: 'mark' }, NotFoundError],
      [{ kind: 'update-chat', title: 'Rome', metadata: { days: 3 } }],
      [{ kind: 'update-chat', title: 'Rome' }],
      [{ kind: 'update-chat', title: 'Milan', instead: 'Porto' }],
      [{ kind: 'update-chat', title: 'Milan', instead: 'Rome' }],
      [{ kind: 'update-chat', title: 'Porto', instead: 'Rome', metadata: { days: 4 } }],
      // runs
      [queue(answer, main, 'a0'), HeadConflictError],
      [queue(answer, main, 'nothing'), HeadConflictError],
      [queue(answer, newId(), 'q2'), NotFoundError],
      [queue(answer, main, 'q2')],
      [queue(newId(), main, 'q2'), ReplyInProgressError],
      [queue(newId(), main, 'q2', { leaseMs: 1000 }), ReplyInProgressError],
      [finish(answer, 0), RunOverError],
      [queue(partial, side, 'a1', { leaseMs: 30_000 })],
      [finish(partial, 2), RunOverError],
      [finish(partial, 1, 'completed')],
      [finish(partial, 1), RunOverError],
      [finish(newId(), 1), RunOverError],
      [queue(newId(), side, 'a1')],
    ]

    const decided = new Decided()
    let state = fold(noChat(chatId), await store.getEvents(chatId))
    for (const [step, refusal] of steps) {
      const before = await refsOf(story)
      const commit = () => decided.commit(store, { chatId, at: 1, steps: [step] }, () => story.commit([step]))
      if (refusal) {
        await story.refuses(commit, refusal)
        continue
      }
      expectAnswered(await commit(), before, await refsOf(story), JSON.stringify(step))
      state = (await checkFold(store, chatId, state)) ?? state
    }
  })
}
