import { expect, test } from 'vitest'
import {
  BuiltUponError,
  HeadConflictError,
  planRename,
  planRewind,
  planSwitch,
  planUndo,
  planUndoAll,
  ReplyInProgressError,
  type Step,
} from '@/lib/context'
import { fold, newId, noChat, threadAt } from '@/lib/events'
import { type GetStore, line, Story } from './story'

/** A copy of a message, at the end of a branch. */
const copy = (story: Story, of: string, below: string, branchId = story.main): Step[] => [
  {
    kind: 'append',
    branchId,
    expectedHead: below,
    whenIdle: true,
    messages: [line(`${of.slice(0, 1)}-${newId()}`, { copiedFromId: of })],
  },
  { kind: 'mark-move', move: 'pick' },
]

export function describeUndo(getStore: GetStore): void {
  test('given a picked message that was undone, when another is said, then a branch still leads to it and no thread forgets', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const { store, chatId, main } = story
    const side = await story.fork('q1')
    await story.say(side, 'q1', 'a2')
    await story.commit(copy(story, 'a2', 'a1'))
    const picked = (await store.getBranch(chatId, main))?.headMessageId ?? ''

    await story.moveBack('undo')
    await story.say(main, 'a1', 'q3')

    const branches = await store.listBranches(chatId)
    expect(branches.find(({ headMessageId }) => headMessageId === picked)).toMatchObject({
      archivedAt: expect.any(Number),
      parentBranchId: main,
    })
    expect(await story.chain('q3')).toEqual(['q1', 'a1', 'q3'])
    const log = await store.getEvents(chatId)
    const state = fold(noChat(chatId), log)
    const heads = log
      .filter(({ streamId }) => streamId === main)
      .map(({ eventNumber }) => threadAt(state, main, eventNumber).head)
    // created, q1, a1 and its checkpoint, the copy and its checkpoint, moved back, q3
    expect(heads).toEqual([null, 'q1', 'a1', 'a1', picked, picked, 'a1', 'q3'])
    // and a fork at any of them begins where the thread stood
    for (const [index, at] of heads.entries()) {
      const fork = { threadId: main, eventNumber: index + 1 }
      const branchId = newId()
      await story.commit([{ kind: 'open-branch', branchId, after: 'main', at, fork, activate: false }])
    }
    // a move that was built upon cannot be made again
    await expect(story.moveBack('redo')).rejects.toBeInstanceOf(BuiltUponError)
  })

  test('given a move that was built upon, when it is undone, alone or with others, then that is refused in words and nothing changes', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const { store, chatId, main } = story
    const { steps, branchId } = planRewind({ after: 'main', messageId: 'q1', newId })
    await story.commit(steps)
    await story.say(branchId, 'q1', 'a2')

    await story.refuses(() => story.moveBack('undo'), BuiltUponError)
    await expect(story.moveBack('undo')).rejects.toThrow('Nothing was undone: the branch has moved on since.')

    await story.commit(planRename(main, 'milan'))
    const moves = await store.getMoves(chatId, { which: 'undo', after: 0 })
    expect(moves.map(({ move }) => move)).toEqual(['rename', 'branch'])
    await story.refuses(async () => story.commit(planUndoAll(moves, newId).steps), BuiltUponError)

    await story.commit(planRename(branchId, 'porto'))
    await story.commit([{ kind: 'rename-branch', branchId, name: 'lisbon' }])
    await story.refuses(() => story.moveBack('undo'), BuiltUponError)
    expect((await store.getMove(chatId, { which: 'undo' }))?.move).toBe('rename')
  })

  test('given a chat that has moved on since it was read, when the plan is committed, then it is refused', async () => {
    const story = await Story.saying(getStore(), 'q1')
    await story.commit(planRename(story.main, 'lisbon'))
    const move = await story.store.getMove(story.chatId, { which: 'undo' })
    if (!move) throw new Error('nothing to undo')
    await story.say(story.main, 'q1', 'a1')

    await story.refuses(
      () => story.commit(planUndo(move, newId).steps, { expectedSeq: move.seq }),
      HeadConflictError,
    )
  })

  test('given a reply under way, when messages would be picked onto its branch or its head moved, then both are refused', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const { main } = story
    await story.commit(copy(story, 'q1', 'a1'))
    const head = (await story.store.getBranch(story.chatId, main))?.headMessageId ?? ''
    const run = { runId: newId(), replyId: newId(), replyTo: head, branchId: main, model: 'm' }
    await story.commit([{ kind: 'queue-run', ...run }])

    await story.refuses(() => story.commit(copy(story, 'a1', head)), ReplyInProgressError)
    await story.refuses(() => story.moveBack('undo'), ReplyInProgressError)
  })

  test('given a move that makes the one before it whole, when it is undone, then both are, unless something came in between', async () => {
    const story = await Story.saying(getStore(), 'q1', 'a1')
    const { store, chatId, main } = story
    const side = await story.fork('q1')
    const before = await story.visible()
    const { moveSeq: joins } = await story.commit(planSwitch(side).steps)
    if (joins === null) throw new Error('a switch is a move')
    const rewound = await story.commit(planRewind({ after: 'main', messageId: 'a1', joins, newId }).steps)
    expect(rewound.moveSeq).toBe(rewound.seq)
    const after = await story.visible()

    expect(await store.getMoves(chatId, { which: 'undo', after: 0 })).toHaveLength(1)
    await story.moveBack('undo')
    expect(await story.visible()).toEqual(before)
    expect(await store.getMove(chatId, { which: 'undo' })).toBeNull()
    await story.moveBack('redo')
    expect(await story.visible()).toEqual(after)

    const alone = await story.commit(planSwitch(main).steps)
    await story.commit([{ kind: 'update-chat', title: 'Lisbon' }])
    await story.commit(planSwitch(side, alone.moveSeq ?? 0).steps)
    const moves = await store.getMoves(chatId, { which: 'undo', after: 0 })
    expect(moves.map(({ move }) => move)).toEqual(['switch', 'switch', 'branch'])
  })

  test('given steps that change nothing, when they are marked as a move, then there is none', async () => {
    const story = await Story.saying(getStore(), 'q1')
    expect((await story.commit(planSwitch(story.main).steps)).moveSeq).toBeNull()

    expect(await story.store.getMove(story.chatId, { which: 'undo' })).toBeNull()
    await expect(story.store.getMove(newId(), { which: 'undo' })).rejects.toThrow('not found')
    await expect(story.store.getMove(story.chatId, { which: 'undo', ownerId: newId() })).rejects.toThrow(
      'not found',
    )
  })
}
