import { describe, expect, test } from 'vitest'
import { BranchActiveError, InvalidDataError, NameTakenError, NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, Story } from './story'

export function describeRefs(getStore: GetStore): void {
  describe('branches', () => {
    test('given names that are taken, when a branch opens, then it gets the lowest free v{n}', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1', 'a1')

      await story.fork('q1')
      const third = await story.fork('q1')
      await story.fork('q1', { after: 'main-v2' })
      await story.commit([{ kind: 'rename-branch', branchId: third, name: 'main-v5' }])
      await story.fork('q1')
      await story.fork('q1')
      await story.fork('q1')

      expect(await story.branchNames()).toEqual([
        'main',
        'main-v2',
        'main-v5',
        'main-v2-v2',
        'main-v3',
        'main-v4',
        'main-v6',
      ])
    })

    test('given the id of the chat, when a branch would have it too, then it is refused', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const { chatId, userId } = story
      const unused = newId()
      const open = { kind: 'open-branch', after: 'main', at: 'q1', activate: false } as const

      await story.refuses(() => story.commit([{ ...open, branchId: chatId }]), InvalidDataError)
      await expect(
        story.commit([], { chatId: unused, create: { userId, title: 'Trip', branchId: unused } }),
      ).rejects.toBeInstanceOf(InvalidDataError)
      expect(await story.store.getChat(unused)).toBeUndefined()
    })

    test('given an archived branch, when another opens, then its name still counts as taken', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const branchId = await story.fork('q1')
      await story.commit([{ kind: 'archive-branch', branchId }])

      await story.fork('q1')

      expect(await story.branchNames()).toEqual(['main', 'main-v2', 'main-v3'])
      expect(await story.store.getBranch(story.chatId, 'main-v2')).toMatchObject({
        archivedAt: expect.any(Number),
      })
    })

    test('given a very long name, when a branch opens after it, then the base is cut', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const long = '𝒙'.repeat(190)

      await story.fork('q1', { after: long })
      await story.fork('q1', { after: long })
      await story.fork('q1', { after: '𝒚'.repeat(180) })

      expect(await story.branchNames()).toEqual([
        'main',
        `${'𝒙'.repeat(180)}…-v2`,
        `${'𝒙'.repeat(180)}…-v3`,
        `${'𝒚'.repeat(180)}-v2`,
      ])
    })

    test('given a fork, when it is read, then it knows its thread, its number and its head', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1', 'a1')
      const at = await story.fork('a1')
      const before = newId()
      await story.commit([
        {
          kind: 'open-branch',
          branchId: before,
          after: 'main',
          at: 'q1',
          fork: { messageId: 'a1', before: true },
          activate: false,
        },
      ])
      const root = newId()
      await story.commit([
        {
          kind: 'open-branch',
          branchId: root,
          after: 'main',
          at: null,
          fork: { messageId: 'q1', before: true },
          activate: false,
        },
      ])

      // main: 1 ThreadCreated, 2 UserMessageAdded q1, 3 LLMResponseGenerated a1, 4 CheckpointCreated
      const main = { parentBranchId: story.main }
      expect(await story.store.getBranch(story.chatId, at)).toMatchObject({ ...main, fromEventNumber: 3 })
      expect(await story.store.getBranch(story.chatId, before)).toMatchObject({
        ...main,
        fromEventNumber: 2,
        headMessageId: 'q1',
      })
      expect(await story.store.getBranch(story.chatId, root)).toMatchObject({
        ...main,
        fromEventNumber: 0,
        headMessageId: null,
      })
    })

    test('given several branches, when one is made active, then it is the only one', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const second = await story.fork('q1', { activate: true })
      const third = await story.fork('q1')
      const active = async () =>
        (await story.store.listBranches(story.chatId)).filter((b) => b.isActive).map((b) => b.id)

      expect(await active()).toEqual([second])
      await story.store.setActiveBranch(story.chatId, third)
      expect(await active()).toEqual([third])
      expect(await story.store.getActiveBranch(story.chatId)).toMatchObject({ id: third, isActive: true })
      await story.refuses(() => story.store.setActiveBranch(story.chatId, newId()), NotFoundError)
    })

    test('given a name that looks like another id, when asked by it, then the name wins', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const named = await story.fork('q1', { name: story.main })

      expect(await story.store.getBranch(story.chatId, story.main)).toMatchObject({ id: named })
      expect(await story.store.getBranch(story.chatId, named)).toMatchObject({ id: named })
      expect(await story.store.getBranch(story.chatId, 'unknown')).toBeUndefined()
    })

    test('given a taken, empty or endless name, when a branch would get it, then it is refused', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const branchId = await story.fork('q1', { name: 'other' })
      const rename = (name: string) => story.commit([{ kind: 'rename-branch', branchId, name }])

      await story.refuses(() => rename('main'), NameTakenError)
      await story.refuses(() => story.fork('q1', { name: 'main' }), NameTakenError)
      await story.refuses(() => rename(''), InvalidDataError)
      await story.refuses(() => rename('n'.repeat(201)), InvalidDataError)
      await rename('n'.repeat(200))
      expect(await story.branchNames()).toEqual(['main', 'n'.repeat(200)])
    })

    test('given a branch, when it gets a title, then that stays, and its name too', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const branchId = await story.fork('q1')
      const read = () => story.store.getBranch(story.chatId, branchId)
      const give = (title: string, branch = branchId) =>
        story.commit([{ kind: 'title-branch', branchId: branch, title }])

      expect(await read()).toMatchObject({ name: 'main-v2', title: null })
      const { branches } = await give('By train')
      expect(branches).toEqual([expect.objectContaining({ id: branchId, title: 'By train' })])
      const { seq } = await give('By bus')
      expect(await read()).toMatchObject({ name: 'main-v2', title: 'By train' })
      const events = await story.store.getEvents(story.chatId)
      expect(events.at(-1)).toMatchObject({
        ...{ seq, type: 'BranchTitled', streamId: story.chatId },
        payload: { branch_id: branchId, title: 'By train' },
      })
      await story.commit([{ kind: 'rename-branch', branchId, name: 'train' }])
      expect(await read()).toMatchObject({ name: 'train', title: 'By train' })

      await story.refuses(() => give('By boat', newId()), NotFoundError)
      await story.refuses(() => give(''), InvalidDataError)
      await story.refuses(() => give('t'.repeat(201)), InvalidDataError)
    })

    test('given the active branch, when it is archived, then it is refused; another one may', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1')
      const branchId = await story.fork('q1')
      const read = async () => (await story.store.getBranch(story.chatId, branchId))?.archivedAt

      await story.refuses(
        () => story.commit([{ kind: 'archive-branch', branchId: story.main }]),
        BranchActiveError,
      )
      await story.commit([{ kind: 'archive-branch', branchId }])
      expect(await read()).toEqual(expect.any(Number))
      await story.commit([{ kind: 'unarchive-branch', branchId }])
      expect(await read()).toBeNull()
    })

    test('given an unknown message, when a branch would open there, then it is refused', async () => {
      const story = await Story.begin(getStore())
      const open = { kind: 'open-branch', branchId: newId(), after: 'main', activate: true } as const

      await story.refuses(() => story.commit([{ ...open, at: 'unknown' }]), NotFoundError)
      await story.refuses(
        () => story.commit([{ ...open, at: null, fork: { messageId: 'unknown', before: true } }]),
        NotFoundError,
      )
    })

    test('given a context, when a branch opens, then it takes its own, the message’s or the thread’s, or is told to have none', async () => {
      const story = await Story.begin(getStore())
      const contexts = ['c1', 'c2', 'c3'].map((id) => ({ id, fragments: [], model: id }))
      const append = { kind: 'append', branchId: story.main } as const
      const message = (id: string, contextId?: string) => ({
        ...{ id, name: 'user', data: { id }, preview: id, createdAt: Date.now() },
        ...(contextId === undefined ? {} : { contextId }),
      })
      await story.commit([{ ...append, expectedHead: null, messages: [message('q0')] }], { contexts })
      await story.commit([
        { ...append, expectedHead: 'q0', contextId: 'c1', messages: [message('q1', 'c2')] },
      ])
      const open = async (at: string | null, contextId?: string | null) => {
        const branchId = newId()
        const own =
          contextId === undefined ? {} : contextId === null ? { noContext: true as const } : { contextId }
        await story.commit([
          {
            ...{ kind: 'open-branch', branchId, after: 'main', at, activate: false },
            ...{ fork: { messageId: at ?? 'q0', before: at === null } },
            ...own,
          },
        ])
        return (await story.store.getBranch(story.chatId, branchId))?.contextId
      }

      expect(await story.store.getBranch(story.chatId, 'main')).toMatchObject({ contextId: 'c1' })
      expect(await open('q1', 'c3')).toBe('c3')
      expect(await open('q1')).toBe('c2')
      expect(await open('q0')).toBe('c1')
      expect(await open(null)).toBe('c1')
      expect(await open('q1', null)).toBeNull()
    })
  })

  describe('checkpoints', () => {
    const save = (story: Story, name: string, messageId: string) =>
      story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name, messageId }])

    test('given a checkpoint, when its name is saved again, then it moves and keeps its id', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1', 'a1')
      const first = await save(story, 'mark', 'q1')
      await save(story, 'other', 'q1')

      const second = await save(story, 'mark', 'a1')

      expect(second.checkpoints).toMatchObject([{ id: first.checkpoints[0]?.id, messageId: 'a1' }])
      expect(await story.store.getCheckpoint(story.chatId, 'mark')).toMatchObject({ messageId: 'a1' })
      expect(await story.store.listCheckpoints(story.chatId)).toMatchObject([
        { name: 'mark', messageId: 'a1' },
        { name: 'other', messageId: 'q1' },
      ])
      await story.refuses(() => save(story, 'mark', 'unknown'), NotFoundError)
      await story.refuses(() => save(story, '', 'q1'), InvalidDataError)
    })

    test('given checkpoints, when they are listed, then the newest comes first, in the graph the oldest', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1', 'a1')
      for (const name of ['first', 'second', 'third']) await save(story, name, 'q1')

      const listed = await story.store.listCheckpoints(story.chatId)

      expect(listed.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
      const { checkpoints } = await story.store.getGraph(story.chatId)
      expect(checkpoints.map(({ name }) => name)).toEqual(['first', 'second', 'third'])
    })

    test('given a checkpoint, when it is removed, then its message stays', async () => {
      const story = await Story.begin(getStore())
      await story.say(story.main, null, 'q1', 'a1')
      await save(story, 'mark', 'q1')
      const remove = () => story.commit([{ kind: 'remove-checkpoint', name: 'mark' }])

      expect((await remove()).removedCheckpoints).toEqual(['mark'])

      expect(await story.store.getCheckpoint(story.chatId, 'mark')).toBeUndefined()
      expect(await story.chain('a1')).toEqual(['q1', 'a1'])
      await story.refuses(remove, NotFoundError)
    })
  })
}
