import { expect, test } from 'vitest'
import { type Change, NameTakenError } from '@/lib/context'
import { newId } from '@/lib/events'
import { type GetStore, Story } from './story'

export function describeOwnIds(getStore: GetStore): void {
  const chatOf = (userId: string, branchId: string): Change => ({
    chatId: newId(),
    ownerId: userId,
    at: 1,
    steps: [],
    create: { userId, branchId },
  })

  test('given the branch of another person’s chat, when a chat is begun with a branch of its id, then each has theirs', async () => {
    const [ada, bob] = [await Story.begin(getStore()), await Story.begin(getStore())]
    const change = chatOf(bob.userId, ada.main)

    await bob.store.commit(change)

    for (const chatId of [ada.chatId, change.chatId]) {
      expect(await ada.store.getBranch(chatId, ada.main)).toMatchObject({ id: ada.main, chatId })
    }
  })

  test('given the branch of another chat of the same person, when a branch of its id is opened, then that is refused and nothing is written', async () => {
    const ada = await Story.begin(getStore())
    const other = await Story.begin(ada.store, ada.userId)
    const change = chatOf(ada.userId, other.main)

    await expect(ada.store.commit(change)).rejects.toBeInstanceOf(NameTakenError)
    expect(await ada.store.getChat(change.chatId)).toBeUndefined()
    const open = { kind: 'open-branch' as const, branchId: other.main, after: 'main', at: null }
    await ada.refuses(() => ada.commit([{ ...open, activate: false }]), NameTakenError)
  })
}
