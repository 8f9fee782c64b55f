import { expect, it } from 'vitest'
import { moveBelongings } from '@/lib/auth/move-belongings'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { ApiKeys } from '@/lib/store'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('a guest who gets an account', ({ open }) => {
  const opened = openedStore(open)

  const { person } = opened
  const remember = (userId: string, key: string, answer: string) =>
    opened.database.orm
      .insert(schema.idempotency)
      .values({ userId, key, route: 'create-thread', bodyHash: 'same', answer })
  const signIn = (userId: string) =>
    opened.database.orm
      .insert(schema.session)
      .values({ id: newId(), token: newId(), userId, expiresAt: new Date(Date.now() + 60_000) })
  const countOf = async (table: 'session' | 'api_keys' | 'idempotency', userId: string) => {
    const [row] = await opened.database.query<{ count: number }>(
      `select count(*)::int as count from ${table} where user_id = $1`,
      [userId],
    )
    return row?.count
  }
  const makeKey = async (keys: ApiKeys, userId: string) => {
    const made = await keys.create(userId, { id: newId(), name: 'script' })
    return made?.made ? made.key : ''
  }

  it('given chats, keys, sessions and commands of a guest, when an account signs in there, then it has the chats, and the rest ended', async () => {
    const [guest, account, other] = [await person(), await person(), await person()]
    const keys = new ApiKeys(opened.database)
    const chat = newId()
    await opened.store.upsertChat({ id: chat, userId: guest })
    const guests = [await makeKey(keys, guest), await makeKey(keys, guest)]
    const [accounts, others] = [await makeKey(keys, account), await makeKey(keys, other)]
    for (const userId of [guest, guest, guest, account, other]) await signIn(userId)
    await remember(guest, 'sent', 'by the guest')
    await remember(account, 'sent by both', 'by the account')

    expect(await moveBelongings(opened.database, guest, account)).toEqual({ keys: 2, sessions: 3 })

    expect((await opened.store.getChat(chat))?.userId).toBe(account)
    // a key of the guest may be in other hands: it works no longer, before the guest's row is deleted as after
    for (const key of guests) expect(await keys.holder(key, '10.0.0.1')).toBeUndefined()
    expect(await countOf('session', guest)).toBe(0)
    expect([await countOf('api_keys', account), await countOf('session', account)]).toEqual([1, 1])
    // nor do answers to the guest's commands answer for the account
    expect(await countOf('idempotency', account)).toBe(1)
    expect(await countOf('idempotency', guest)).toBe(0)
    expect(await keys.holder(accounts, '10.0.0.1')).toMatchObject({ id: account })
    expect(await keys.holder(others, '10.0.0.1')).toMatchObject({ id: other })
    await opened.database.query('delete from "user" where id = $1', [guest])
  })

  it('given a guest whose keys are made while the account signs in, then none of them is the account’s', async () => {
    const [guest, account] = [await person(), await person()]
    const keys = new ApiKeys(opened.database)
    const [made] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => makeKey(keys, guest))),
      moveBelongings(opened.database, guest, account),
    ])
    for (const key of made) expect((await keys.holder(key, '10.0.0.1'))?.id).not.toBe(account)
    expect(await countOf('api_keys', account)).toBe(0)
  })
})
