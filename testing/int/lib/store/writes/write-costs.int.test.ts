import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Step } from '@/lib/context'
import { contextFor } from '@/lib/conversations/turns/context-value'
import { newId } from '@/lib/events'
import { checkDatabase, followers, followLog, rebuild } from '@/lib/store'
import { line } from '@/testing/contracts/store/story'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'
import { givenStaleStatistics, LONG, type LongChat } from '@/testing/worlds/stale-statistics'

// Every step that a change can have is written to a long chat of which the planner knew nothing before it grew.

/** Rows that a step may touch: less than one for each message of the chat. */
const MOST = LONG

/** A chat as the steps before have left it. */
interface Standing extends LongChat {
  head: string
  runId: string
  replayId: string
}

const message = (chat: Standing) => {
  const id = newId()
  const step: Step = { kind: 'append', branchId: chat.main, expectedHead: chat.head, messages: [line(id)] }
  chat.head = id
  return step
}
/** The name of a message of an agent. */
const hashOf = (n: number): string => n.toString(16).padStart(64, '0')

const opened = (): { branchId: string; step: Step } => {
  const branchId = newId()
  const at = 'm250'
  return {
    branchId,
    step: { kind: 'open-branch', branchId, after: 'main', at, fork: { messageId: at }, activate: false },
  }
}

/** In this order: some go on from what others have left. */
const writes: Record<Step['kind'], (chat: Standing) => Promise<unknown>> = {
  append: (chat) => chat.story.commit([message(chat)]),
  'queue-run': (chat) => {
    chat.runId = newId()
    const asked = message(chat)
    const { head: replyTo, main: branchId, runId } = chat
    return chat.story.commit([
      asked,
      { kind: 'queue-run', runId, branchId, replyTo, replyId: newId(), model: 'a', leaseMs: 60_000 },
    ])
  },
  'finish-run': (chat) =>
    chat.story.commit([{ kind: 'finish-run', runId: chat.runId, fence: 1, status: 'completed' }]),
  'open-branch': (chat) => chat.story.commit([opened().step]),
  'switch-branch': (chat) => chat.story.commit([{ kind: 'switch-branch', branchId: chat.other }]),
  'rename-branch': (chat) =>
    chat.story.commit([{ kind: 'rename-branch', branchId: chat.other, name: 'Another' }]),
  'title-branch': (chat) =>
    chat.story.commit([{ kind: 'title-branch', branchId: chat.other, title: 'Title' }]),
  'archive-branch': (chat) => chat.story.commit([{ kind: 'archive-branch', branchId: chat.main }]),
  'unarchive-branch': (chat) => chat.story.commit([{ kind: 'unarchive-branch', branchId: chat.main }]),
  'set-context': (chat) => {
    const context = contextFor('demo:demo', null)
    return chat.story.commit(
      [{ kind: 'set-context', branchId: chat.main, expectedContextId: null, contextId: context.id }],
      { contexts: [context] },
    )
  },
  'save-checkpoint': (chat) =>
    chat.story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name: 'here', messageId: 'm100' }]),
  'remove-checkpoint': (chat) => chat.story.commit([{ kind: 'remove-checkpoint', name: 'here' }]),
  'update-chat': (chat) => chat.story.commit([{ kind: 'update-chat', title: 'Another' }]),
  'note-received': (chat) => chat.story.commit([{ kind: 'note-received', remote: 'work', messages: 2 }]),
  note: (chat) =>
    chat.story.commit([
      {
        kind: 'note',
        fact: { type: 'ProposalDeclined', payload: { proposal_id: 'p', number: 1 } },
      },
    ]),
  'move-head': (chat) =>
    chat.story.commit([
      { kind: 'move-head', branchId: chat.other, expectedHead: `o${LONG - 1}`, headId: 'o100' },
    ]),
  'mark-move': (chat) =>
    chat.story.commit([
      { kind: 'save-checkpoint', checkpointId: newId(), name: 'moved', messageId: 'm100' },
      { kind: 'mark-move', move: 'checkpoint' },
    ]),
  'mark-undone': (chat) => chat.story.moveBack('undo'),
  'mark-redone': (chat) => chat.story.moveBack('redo'),
  record: (chat) =>
    chat.story.commit([
      message(chat),
      {
        kind: 'record',
        branchId: chat.main,
        fact: { type: 'ReplyStopped', payload: { run_id: chat.runId, reply_to: chat.head } },
      },
    ]),
  'begin-replay': (chat) => {
    chat.replayId = newId()
    const { branchId, step } = opened()
    return chat.story.commit([
      step,
      {
        kind: 'begin-replay',
        branchId,
        replay: {
          id: chat.replayId,
          asked: 0,
          lastId: null,
          anyway: false,
          status: 'running',
          reason: null,
          sourceBranchId: chat.main,
          questions: ['m300', 'm302'],
          content: null,
          model: null,
          contextId: contextFor('demo:demo', null).id,
        },
      },
    ])
  },
  'move-replay': (chat) => {
    const replay = { id: chat.replayId, version: 1, asked: 0, lastId: null, anyway: false, reason: null }
    return chat.story.commit([
      { kind: 'move-replay', branchId: chat.main, replay: { ...replay, status: 'paused' } },
    ])
  },
  'keep-bisect': (chat) =>
    chat.story.commit([
      {
        kind: 'keep-bisect',
        bisect: {
          id: newId(),
          replyId: 'm401',
          questionId: 'm400',
          turns: [{ first: 'm0', last: 'm1' }],
          judge: { kind: 'person' },
          low: -1,
          high: 1,
          probe: null,
          isWithout: false,
          branchId: null,
          askedId: null,
          runs: 0,
          status: 'waiting',
          reason: null,
          foundId: null,
          confirmed: null,
        },
      },
    ]),
  'keep-nodes': (chat) =>
    chat.story.commit([
      {
        kind: 'keep-nodes',
        nodes: [
          { hash: 'ab'.repeat(32), messageId: 'm499' },
          { hash: hashOf(7), chain: hashOf(LONG), messageId: 'm499' },
        ],
        agent: { branchId: chat.main, client: 'test' },
      },
    ]),
  'steer-agent': (chat) =>
    chat.story.commit([{ kind: 'steer-agent', branchId: chat.main, targetId: chat.other }]),
  'follow-steering': (chat) =>
    chat.story.commit([
      { kind: 'follow-steering', branchId: chat.main, targetId: chat.other, onBranchId: chat.other },
    ]),
}

onServedDatabase('what a write to a long chat touches', ({ open }) => {
  const opened = openedStore(open)
  let world: Awaited<ReturnType<typeof givenStaleStatistics>>
  let chat: Standing
  beforeAll(async () => {
    world = await givenStaleStatistics(opened, 0, true)
    chat = { ...world.chat, head: `m${LONG - 1}`, runId: '', replayId: '' }
    // as if an agent had said all of it
    const nodes = Array.from({ length: LONG }, (_, n) => ({ hash: hashOf(n), messageId: `m${n}` }))
    await chat.story.commit([{ kind: 'keep-nodes', nodes }])
  }, 120_000)
  afterAll(() => world.close())

  const cost = async (act: () => Promise<unknown>): Promise<number> => {
    const before = await world.touched()
    await act()
    return (await world.touched()) - before
  }

  it.each(Object.entries(writes))(
    'when a step %s is written, then it touches a few rows',
    async (_, write) => {
      expect(await cost(() => write(chat))).toBeLessThan(MOST)
    },
  )

  it('when followers read the log, the words are indexed, and all is checked and worked out again, then each row is read a few times', async () => {
    const { database, store } = world
    const rows = 2 * LONG
    const follow = async () => {
      for (const follower of followers) await followLog(database, follower)
    }
    expect(await cost(follow)).toBeLessThan(10 * rows)
    expect(await cost(() => store.indexPending())).toBeLessThan(30 * rows)
    expect(await cost(() => checkDatabase(database))).toBeLessThan(70 * rows)
    expect(await cost(() => rebuild(database))).toBeLessThan(140 * rows)
  })
})
