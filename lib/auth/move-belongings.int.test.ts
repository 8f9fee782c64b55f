import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { ApiKeys } from '@/lib/store'
import { type OpenedStore, storeKinds } from '@/lib/testing/open-stores'
import { moveBelongings } from './move-belongings'

describe.each(storeKinds)('a guest who gets an account ($name)', ({ open, missing }) => {
  if (missing) {
    it.skip('needs Postgres')
    return
  }
  let opened: OpenedStore
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())

  const person = async () => {
    const id = newId()
    await opened.store.database.orm.insert(schema.user).values({ id, name: id, email: `${id}@example.org` })
    return id
  }
  const remember = (userId: string, key: string, answer: string) =>
    opened.store.database.orm
      .insert(schema.idempotency)
      .values({ userId, key, route: 'create-thread', bodyHash: 'same', answer })
  const answersOf = async (userId: string) => {
    const rows = await opened.store.database.query<{ key: string; answer: string }>(
      'select key, answer from idempotency where user_id = $1 order by key',
      [userId],
    )
    return rows.map(({ key, answer }) => [key, answer])
  }

  it('given chats, keys and commands of a guest, when they move, then the account has them all, and the guest can go', async () => {
    const [guest, account, other] = [await person(), await person(), await person()]
    const keys = new ApiKeys(opened.store.database)
    const chat = newId()
    await opened.store.upsertChat({ id: chat, userId: guest })
    const made = await keys.create(guest, { id: newId(), name: 'script' })
    const others = await keys.create(other, { id: newId(), name: 'theirs' })
    await remember(guest, 'sent', 'by the guest')
    await remember(guest, 'used by both', 'by the guest')
    await remember(account, 'used by both', 'by the account')

    await moveBelongings(opened.store.database, guest, account)
    await opened.store.database.query('delete from "user" where id = $1', [guest])

    expect((await opened.store.getChat(chat))?.userId).toBe(account)
    expect(await keys.holder(made?.key ?? '')).toMatchObject({ id: account })
    expect(await answersOf(account)).toEqual([
      ['sent', 'by the guest'],
      ['used by both', 'by the account'],
    ])
    expect(await keys.holder(others?.key ?? '')).toMatchObject({ id: other })
  })
})
