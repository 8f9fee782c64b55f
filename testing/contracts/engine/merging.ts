import { expect, test } from 'vitest'
import {
  AlreadyThereError,
  assistantText,
  MessageExistsError,
  NotFoundError,
  NothingToMergeError,
  user,
} from '@/lib/context'
import type { GetStore } from '../store/story'
import { reads, Talk } from './talk'

/** Merge, pick and compact, as the library does them. */
export function describeMerges(getStore: GetStore): void {
  /** Given main and a branch beside it, each with a turn of its own after a common one; the engine stands on main. */
  const twoBranches = async () => {
    const { talk, context } = Talk.begin(getStore())
    await context.set(user('We are two', { id: 'q1' }), assistantText('Noted.', { id: 'a1' })).save()
    await context.rewind('a1')
    await context.set(user('And Porto?', { id: 'q2' }), assistantText('Near.', { id: 'a2' })).save()
    await context.switchBranch('main')
    await context.set(user('And Lisbon?', { id: 'q3' }), assistantText('Stay.', { id: 'a3' })).save()
    return { talk, context }
  }
  const common = ['We are two', 'Noted.', 'And Lisbon?', 'Stay.']

  test('given two branches, when one is merged, then the next prompt says what came from there', async () => {
    const { context } = await twoBranches()

    const merged = await context.merge('main-v2')

    expect(merged).toMatchObject({ name: 'main', messageCount: 5, isActive: true })
    const [brief] = (await reads(context)).slice(4)
    expect((await reads(context)).slice(0, 4)).toEqual(common)
    expect(brief).toContain('Merged from branch “main-v2”')
    expect(brief).toContain('“And Porto?”: Near.')
    await expect(context.merge('main-v2')).rejects.toBeInstanceOf(NothingToMergeError)
    await expect(context.merge('main')).rejects.toBeInstanceOf(NothingToMergeError)
    await expect(context.merge('nowhere')).rejects.toBeInstanceOf(NotFoundError)

    expect(await context.undo()).toMatchObject({ name: 'main', messageCount: 4 })
    await context.merge('main-v2', { mode: 'turns' })
    expect(await reads(context)).toEqual([...common, 'And Porto?', 'Near.'])
  })

  test('given messages of another branch, when they are picked, then they stand at the end', async () => {
    const { talk, context } = await twoBranches()

    expect(await context.cherryPick(['a2', 'q2'])).toMatchObject({ name: 'main', messageCount: 6 })

    expect(await reads(context)).toEqual([...common, 'Near.', 'And Porto?'])
    expect(await talk.texts('main-v2')).toEqual(['We are two', 'Noted.', 'And Porto?', 'Near.'])
    await expect(context.cherryPick(['q1'])).rejects.toBeInstanceOf(AlreadyThereError)
    await expect(context.cherryPick(['a2', 'a2'])).rejects.toBeInstanceOf(MessageExistsError)
    await expect(context.cherryPick(['a9'])).rejects.toThrow('Message "a9" not found')
    expect(await reads(context)).toHaveLength(6)
  })

  test('given a branch, when it is compacted, then the engine goes on after its summary and the branch stays', async () => {
    const { talk, context } = await twoBranches()

    const opened = await context.compact('Two cities.')

    expect(opened).toMatchObject({ messageCount: 1, isActive: true })
    expect(await reads(context)).toEqual([
      'Summary of the 4 messages of branch “main” before this point:\n\nTwo cities.',
    ])
    expect(await talk.texts('main')).toEqual(common)
    await expect(new Talk(getStore()).engine().compact()).rejects.toBeInstanceOf(NothingToMergeError)
  })
}
