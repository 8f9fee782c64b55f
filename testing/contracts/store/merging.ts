import { describe, expect, test } from 'vitest'
import {
  AlreadyThereError,
  type BranchHead,
  type ContextStore,
  type MergeSource,
  type MergeWay,
  NotFoundError,
  NothingToMergeError,
  planCompact,
  planMerge,
  planPick,
  ReplyInProgressError,
} from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, Story } from './story'

const at = Date.now()

/** A branch as the planners take it, as target and as source. */
async function headOf({ store, chatId }: Story, branchId: string): Promise<BranchHead & MergeSource> {
  const branch = await store.getBranch(chatId, branchId)
  if (!branch) throw new Error(`no branch ${branchId}`)
  const { name, headMessageId: headId, contextId, archivedAt } = branch
  return {
    branchId,
    branchName: name,
    name,
    headId,
    isArchived: archivedAt !== null,
    context: contextId === null ? null : { id: contextId },
  }
}

const brief: MergeWay = { mode: 'brief', brief: 'What was found.', quotes: [], conflicts: [] }

/** Merges a branch into another and answers the id of the message that has two parents. */
async function merge(story: Story, source: string, target: string, way: MergeWay = brief): Promise<string> {
  const [from, into] = [await headOf(story, source), await headOf(story, target)]
  const base = await story.store.getMergeBase(story.chatId, from.headId ?? '', into.headId)
  const { steps, messageId } = planMerge({ source: from, target: into, base, way, at, newId })
  await story.commit(steps)
  return messageId
}

/** Picks messages onto a branch and answers the ids of the copies. */
async function pick(story: Story, branchId: string, ...ids: string[]): Promise<string[]> {
  const branch = await headOf(story, branchId)
  const found = await story.store.getMessagesById(story.chatId, ids, branch.headId)
  const messages = ids.flatMap((id) => found.find((message) => message.id === id) ?? [])
  const { steps, messageIds } = planPick({ branch, messages, at, newId })
  await story.commit(steps)
  return messageIds
}

/** Given q1 → a1 → q2 → a2 on main, and beside it a branch at a1 with q3 → a3. */
async function parted(store: ContextStore) {
  const story = await Story.saying(store, 'q1', 'a1', 'q2', 'a2')
  const side = await story.fork('a1', { name: 'porto' })
  await story.say(side, 'a1', 'q3', 'a3')
  return { story, store, chatId: story.chatId, main: story.main, side }
}

export function describeMerging(getStore: GetStore): void {
  describe('where a merge begins', () => {
    const baseOf = ({ store, chatId }: Story, source: string, target: string | null) =>
      store.getMergeBase(chatId, source, target)

    test('given forks, forks of forks and another root, then it is the deepest message of both', async () => {
      // q1 ─ a1 ─ q2 ─ a2
      //       └── q3 ─ a3
      //            └── a4 ─ q5 ─ a5
      // q6 ─ a6
      const story = await Story.saying(getStore(), 'q1', 'a1', 'q2', 'a2')
      await story.say(await story.fork('a1'), 'a1', 'q3', 'a3')
      await story.say(await story.fork('q3'), 'q3', 'a4', 'q5', 'a5')
      await story.say(await story.fork(null), null, 'q6', 'a6')

      for (const [source, target, baseId, own] of [
        ['a3', 'a2', 'a1', 2],
        ['a2', 'a3', 'a1', 2],
        ['a5', 'a2', 'a1', 4],
        ['a5', 'a3', 'q3', 3],
        ['a3', null, null, 4],
        // an ancestor has nothing new, and everything after it is new to it
        ['a1', 'a2', 'a1', 0],
        ['a2', 'a2', 'a2', 0],
        ['a2', 'a1', 'a1', 2],
        ['a6', 'a1', null, 2],
      ] as const)
        expect(await baseOf(story, source, target), `${source} into ${target}`).toEqual({ baseId, own })
      await expect(baseOf(story, 'a9', 'a1')).rejects.toBeInstanceOf(NotFoundError)
      await expect(baseOf(story, 'a1', 'a9')).rejects.toBeInstanceOf(NotFoundError)
    })

    test('given a branch that was merged before, then only what was said since is new', async () => {
      const { story, main, side } = await parted(getStore())
      const merged = await merge(story, side, main)

      expect(await baseOf(story, 'a3', merged)).toEqual({ baseId: 'a3', own: 0 })
      await story.say(side, 'a3', 'q4', 'a4')
      await story.say(main, merged, 'q5', 'a5')
      expect(await baseOf(story, 'a4', 'a5')).toEqual({ baseId: 'a3', own: 2 })
      // the other way round the merge is new too
      expect(await baseOf(story, 'a5', 'a4')).toEqual({ baseId: 'a1', own: 5 })
    })

    test('given a merge of a merge, then what came by way of another branch is not new', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1')
      const { main } = story
      const one = await story.fork('a1')
      await story.say(one, 'a1', 'q2', 'a2')
      const two = await story.fork('a1')
      await story.say(two, 'a1', 'q3', 'a3')
      await merge(story, one, two)
      const merged = await merge(story, two, main)

      expect(await baseOf(story, 'a2', merged)).toEqual({ baseId: 'a2', own: 0 })
      await story.say(one, 'a2', 'q4')
      expect(await baseOf(story, 'q4', merged)).toEqual({ baseId: 'a2', own: 1 })
    })

    test('given a branch that begins with a summary, then what it stands for is not new to it', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1', 'q2', 'a2')
      const branch = await headOf(story, story.main)
      const compact = { branch, name: 'main', untilId: 'a2', count: 4, summary: 'All of it.', at, newId }
      const { steps, messageId } = planCompact(compact)
      await story.commit(steps)

      expect(await baseOf(story, 'a2', messageId)).toEqual({ baseId: 'a2', own: 0 })
      expect(await baseOf(story, messageId, 'a2')).toEqual({ baseId: null, own: 1 })
    })
  })

  describe('merge, pick and compact', () => {
    test('given a brief, when a branch is merged, then one message of two parents says what came from there, and the move names both', async () => {
      const { story, store, chatId, main, side } = await parted(getStore())
      const sourceBefore = await store.getBranch(chatId, side)

      const merged = await merge(story, side, main)

      const move = await store.getMove(chatId, { which: 'undo' })
      expect(move?.branches.map(({ id }) => id).sort()).toEqual([main, side].sort())
      expect(await story.chain(merged)).toEqual(['q1', 'a1', 'q2', 'a2', merged])
      const message = await store.getMessage(chatId, merged)
      expect(message).toMatchObject({ parentId: 'a2', mergeParentId: 'a3', name: 'user' })
      expect(message?.data).toMatchObject({
        parts: [{ text: expect.stringContaining('Merged from branch “porto”') }],
        metadata: { merge: { sourceBranchId: side, sourceHeadId: 'a3', baseId: 'a1', mode: 'brief' } },
      })
      expect(await store.getBranch(chatId, side)).toEqual(sourceBefore)
      const events = await store.getEvents(chatId, { streamId: main })
      const source = { source_thread_id: side, source_message_id: 'a3', base_message_id: 'a1' }
      expect(events.at(-1)).toMatchObject({
        type: 'ThreadsMerged',
        payload: { message_id: merged, ...source },
      })
      await expect(merge(story, side, main)).rejects.toBeInstanceOf(NothingToMergeError)
      await expect(merge(story, main, main)).rejects.toBeInstanceOf(NothingToMergeError)
    })

    test('given its turns, when a branch is merged, then they are copied in order and the last copy has two parents', async () => {
      const { story, store, chatId, main, side } = await parted(getStore())
      await story.say(side, 'a3', 'q4', 'a4')
      const messages = await store.getMessageChain(chatId, 'a4', { last: 4 })

      const last = await merge(story, side, main, { mode: 'turns', messages })

      const copies = await store.getMessageChain(chatId, last, { last: 4 })
      expect(copies.map(({ copiedFromId }) => copiedFromId)).toEqual(['q3', 'a3', 'q4', 'a4'])
      const none = undefined
      expect(copies.map(({ mergeParentId }) => mergeParentId)).toEqual([none, none, none, 'a4'])
      for (const [index, { id, data }] of copies.entries()) {
        expect(data).toEqual({ ...(messages[index]?.data as object), id })
      }
      await expect(merge(story, side, main)).rejects.toBeInstanceOf(NothingToMergeError)
    })

    test('given a merged context, when it is merged, then it is in force, and Undo puts back the one before', async () => {
      const story = await Story.begin(getStore())
      const { store, chatId, main } = story
      const contexts = ['one', 'two'].map((id) => ({ id, fragments: [], model: id }))
      await story.say(main, null, 'q1', 'a1')
      const expected = { branchId: main, expectedContextId: null, contextId: 'one' }
      await story.commit([{ kind: 'set-context', ...expected }], { contexts })
      const side = await story.fork('a1')

      // the source has no message of its own, and all the same another context
      const merged = await merge(story, side, main, {
        mode: 'context',
        contextId: 'two',
        brief: 'Added: a hint',
        conflicts: [],
      })

      expect(await store.getMessage(chatId, merged)).toMatchObject({ contextId: 'two', mergeParentId: 'a1' })
      expect((await store.getBranch(chatId, main))?.contextId).toBe('two')
      await story.moveBack('undo')
      expect(await store.getBranch(chatId, main)).toMatchObject({ contextId: 'one', headMessageId: 'a1' })
    })

    test('given messages of two branches, when they are picked, then copies stand at the end in the order given', async () => {
      const { story, store, chatId, main } = await parted(getStore())
      const other = await story.fork('q1')
      await story.say(other, 'q1', 'a4')

      const copies = await pick(story, main, 'a4', 'q3', 'a3')

      const chain = await store.getMessageChain(chatId, copies.at(-1) ?? '')
      expect(chain.map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2', ...copies])
      expect(chain.slice(4).map(({ copiedFromId }) => copiedFromId)).toEqual(['a4', 'q3', 'a3'])
      expect(chain.slice(4).map(({ data }) => (data as { id: string }).id)).toEqual(copies)
      expect((await store.getMove(chatId, { which: 'undo' }))?.move).toBe('pick')
      await story.refuses(() => pick(story, main, 'q2'), AlreadyThereError)
      await story.refuses(() => pick(story, other, 'q1'), AlreadyThereError)
    })

    test('given an archived target, when messages are picked onto it, then it is restored and the chat opens there', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1')
      const { store, chatId } = story
      const side = await story.fork('q1')
      await story.commit([{ kind: 'archive-branch', branchId: side }])

      await pick(story, side, 'a1')

      expect(await store.getBranch(chatId, side)).toMatchObject({ archivedAt: null, isActive: true })
      await story.moveBack('undo')
      expect(await store.getBranch(chatId, side)).toMatchObject({ headMessageId: 'q1', isActive: false })
      expect((await store.getBranch(chatId, side))?.archivedAt).not.toBeNull()
    })

    test('given a reply under way on the target, when something is merged or picked there, then that is refused', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1')
      const { main } = story
      const side = await story.fork('q1')
      await story.say(side, 'q1', 'a2', 'q2')
      const run = { runId: newId(), replyId: newId(), replyTo: 'q2', branchId: side, model: 'm' }
      await story.commit([{ kind: 'queue-run', ...run }])

      await story.refuses(() => pick(story, side, 'a1'), ReplyInProgressError)
      await story.refuses(() => merge(story, main, side), ReplyInProgressError)
    })

    test('given a summary, when a branch is compacted, then a new branch begins with it and the original stays', async () => {
      const story = await Story.begin(getStore())
      const { store, chatId, main } = story
      const contexts = [{ id: 'one', fragments: [], model: 'one' }]
      await story.say(main, null, 'q1', 'a1', 'q2', 'a2')
      const expected = { branchId: main, expectedContextId: null, contextId: 'one' }
      await story.commit([{ kind: 'set-context', ...expected }], { contexts })
      const branch = await headOf(story, main)
      const { steps, branchId, messageId } = planCompact({
        branch,
        name: 'main',
        untilId: 'a2',
        count: 4,
        summary: 'All of it.',
        at,
        newId,
      })
      await story.commit(steps)

      expect(await story.chain(messageId)).toEqual([messageId])
      expect(await store.getBranch(chatId, branchId)).toMatchObject({
        isActive: true,
        contextId: 'one',
        parentBranchId: main,
        fromEventNumber: 0,
      })
      expect(await store.getMessage(chatId, messageId)).toMatchObject({
        parentId: null,
        mergeParentId: 'a2',
        contextId: 'one',
        data: { metadata: { compact: { sourceBranchId: main, untilId: 'a2', count: 4 } } },
      })
      expect((await store.getBranch(chatId, main))?.headMessageId).toBe('a2')
      await story.moveBack('undo')
      expect((await store.getActiveBranch(chatId))?.id).toBe(main)
    })
  })
}
