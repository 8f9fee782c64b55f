import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { ChatReads, checkDatabase, moveBelongings, ThreadReads } from '@/lib/store'
import { onServedDatabase, openedStore } from '@/testing/worlds/open-stores'

onServedDatabase('chats of a guest and of an account that are called alike', ({ open }) => {
  const opened = openedStore(open)
  const reads = () => new ChatReads(opened.database)

  const { person } = opened
  /** A chat of a person's, called `called`; where that is another one's key, under a key of its own. */
  const begin = async (userId: string, called: string, { key = called, branchId = newId() } = {}) => {
    const create = { userId, title: key, branchId }
    const change = { chatId: key, ownerId: userId, at: 1, create, steps: [] }
    if (key === called) await opened.store.commit(change)
    else await opened.store.commitCalled(change, called)
    return key
  }
  const calledBy = async (userId: string) =>
    Object.fromEntries(
      (await reads().chats(userId, { sort: 'updated', limit: 10 })).chats.map(({ id, title }) => [title, id]),
    )

  it.each([
    ['the guest has the key', 'guest', 'account'],
    ['the account has the key', 'account', 'guest'],
    ['another person has the key', undefined, 'guest'],
  ] as const)(
    'given %s of a chat that both call alike, when the guest’s move, then both are there, the other under its own key',
    async (_, holder, renamed) => {
      const [guest, account, other] = [await person(), await person(), await person()]
      const called = newId()
      await begin(holder === 'guest' ? guest : holder === 'account' ? account : other, called)
      const keys = {
        guest: holder === 'guest' ? called : await begin(guest, called, { key: newId() }),
        account: holder === 'account' ? called : await begin(account, called, { key: newId() }),
      }
      const single = await begin(guest, newId())
      const aliased = newId()
      await begin(other, aliased)
      const own = await begin(guest, aliased, { key: newId() })

      await moveBelongings(opened.database, guest, account)

      const kept = renamed === 'guest' ? 'account' : 'guest'
      expect(await calledBy(account)).toEqual({
        [keys[kept]]: called,
        [keys[renamed]]: keys[renamed],
        // a name without a twin stays as it was
        [single]: single,
        [own]: aliased,
      })
      for (const [id, key] of [
        [called, keys[kept]],
        [keys[renamed], keys[renamed]],
        [aliased, own],
      ]) {
        expect(await reads().calledState(id ?? '', account)).toMatchObject({ chat: 'own', chatId: key })
        expect(await reads().calledState(id ?? '', guest)).not.toMatchObject({ chat: 'own' })
      }
      await opened.database.query('delete from "user" where id = $1', [guest])
      expect(await checkDatabase(opened.database)).toEqual([])
    },
  )

  it('given branches of one id in both, when the guest’s chats move, then the thread is the older chat’s wherever it is named', async () => {
    const [guest, account] = [await person(), await person()]
    const branchId = newId()
    const older = await begin(guest, newId(), { branchId })
    const younger = await begin(account, newId(), { branchId })
    await opened.database.query(`update chats set created_at = now() where id = $1`, [younger])
    await moveBelongings(opened.database, guest, account)

    const threads = new ThreadReads(opened.database)
    expect((await threads.head(branchId, account))?.chatId).toBe(older)
    expect(await threads.list(account, { limit: 10 })).toHaveLength(2)
    expect(await threads.list(account, { before: branchId, limit: 10 })).toBeDefined()
    expect(await threads.children(branchId, account, { limit: 10 })).toEqual([])
    expect(await threads.head(branchId, guest)).toBeUndefined()
  })
})
