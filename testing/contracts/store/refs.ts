import { describe, expect, test } from 'vitest'
import { InvalidDataError, NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, line, Story } from './story'

export function describeRefs(getStore: GetStore): void {
  describe('branches', () => {
    test('given the id of a new chat, when its first branch would have it too, then it is refused', async () => {
      const story = await Story.begin(getStore())
      const { userId } = story
      const unused = newId()
      await expect(
        story.commit([], { chatId: unused, create: { userId, title: 'Trip', branchId: unused } }),
      ).rejects.toBeInstanceOf(InvalidDataError)
      expect(await story.store.getChat(unused)).toBeUndefined()
    })

    test('given a very long name, when a branch opens after it, then the base is cut', async () => {
      const story = await Story.saying(getStore(), 'q1')
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

    test('given many branches, when more open, then their names count on, and one that was given back is used where there are few', async () => {
      const story = await Story.saying(getStore(), 'q1')
      const opened: string[] = []
      for (let n = 2; n <= 70; n += 1) opened.push(await story.fork('q1'))
      const names = async () =>
        (await story.store.listBranches(story.chatId)).map(({ id, name }) => [id, name] as const)
      const nameOf = async (id: string) => new Map(await names()).get(id)
      expect(await story.branchNames()).toEqual(['main', ...opened.map((_, at) => `main-v${at + 2}`)])

      const [, third = ''] = opened
      const beyond = opened[48] ?? ''
      await story.commit([{ kind: 'rename-branch', branchId: third, name: 'ideas' }])
      await story.commit([{ kind: 'rename-branch', branchId: beyond, name: 'more ideas' }])
      expect(await nameOf(await story.fork('q1'))).toBe('main-v3')
      const more = [await story.fork('q1'), await story.fork('q1'), await story.fork('q1')]
      const given = await Promise.all(more.map(nameOf))
      expect(new Set(await story.branchNames()).size).toBe(74)
      for (const name of given) expect(name).toMatch(/^main-v(?:50|7[1-3])$/)
    })

    test('given several branches, when one is made active, then it is the only one', async () => {
      const story = await Story.saying(getStore(), 'q1')
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

    test('given a name that looks like another id, when asked by it, also with its chain, then the name wins', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1')
      const named = await story.fork('q1', { name: story.main })

      expect(await story.store.getBranch(story.chatId, story.main)).toMatchObject({ id: named })
      expect(await story.store.getBranch(story.chatId, named)).toMatchObject({ id: named })
      expect(await story.store.getBranch(story.chatId, 'unknown')).toBeUndefined()
      expect(await story.store.getBranchChain(story.chatId, story.main)).toMatchObject({
        branch: { id: named },
        chain: [{ data: line('q1').data }],
      })
    })
  })

  describe('checkpoints', () => {
    const save = (story: Story, name: string, messageId: string) =>
      story.commit([{ kind: 'save-checkpoint', checkpointId: newId(), name, messageId }])

    test('given checkpoints, when they are listed, then the newest comes first, saved or moved, in the graph the oldest', async () => {
      const story = await Story.saying(getStore(), 'q1', 'a1')
      for (const name of ['first', 'second', 'third']) await save(story, name, 'q1')

      const names = async () => (await story.store.listCheckpoints(story.chatId)).map(({ name }) => name)
      expect(await names()).toEqual(['third', 'second', 'first'])
      const { checkpoints } = await story.store.getGraph(story.chatId)
      expect(checkpoints.map(({ name }) => name)).toEqual(['first', 'second', 'third'])
      await save(story, 'first', 'a1')
      expect(await names()).toEqual(['first', 'third', 'second'])
      expect(await story.store.getCheckpoint(story.chatId, 'first')).toMatchObject({ messageId: 'a1' })
      await story.commit([{ kind: 'remove-checkpoint', name: 'first' }])
      expect(await names()).toEqual(['third', 'second'])
      expect(await story.store.getCheckpoint(story.chatId, 'first')).toBeUndefined()
    })
  })
}
