import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { HeadConflictError, NotFoundError } from '@/lib/context'
import { newId } from '@/lib/events'
import { Story } from '@/testing/contracts/store/story'
import { onPostgres, openedStore } from '@/testing/worlds/open-stores'

onPostgres('chats called alike, on Postgres', () => {
  const opened = openedStore()

  it('given a chat of another person that is being written to, when something is written under its id, then the answer does not wait for that', async () => {
    const [ada, bob] = [await Story.begin(opened.store), await Story.begin(opened.store)]
    const steps = [{ kind: 'update-chat' as const, title: 'Mine' }]
    await opened.database.orm.transaction(async (writing) => {
      await writing.execute(sql`select 1 from chats where id = ${ada.chatId} for update`)
      // an answer that waited would come when the lock is given back, which waits for the answer
      await expect(
        opened.store.commit({ chatId: ada.chatId, ownerId: bob.userId, at: 1, steps }),
      ).rejects.toBeInstanceOf(NotFoundError)
    })
  })

  it('given ten chats of one person that are begun under one name at once, then one is made and the others are refused whole', async () => {
    const [ada, bob] = [await Story.begin(opened.store), await Story.begin(opened.store)]
    const begin = () => {
      const create = { userId: bob.userId, branchId: newId() }
      const change = { chatId: newId(), ownerId: bob.userId, at: 1, create, steps: [] }
      return opened.store.commitCalled(change, ada.chatId)
    }
    const results = await Promise.allSettled(Array.from({ length: 10 }, begin))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(9)
    for (const error of refused) expect(error).toBeInstanceOf(HeadConflictError)
    expect(await opened.store.listChats({ userId: bob.userId })).toHaveLength(2)
  })
})
