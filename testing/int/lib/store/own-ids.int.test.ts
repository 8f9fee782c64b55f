import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { NotFoundError } from '@/lib/context'
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
})
