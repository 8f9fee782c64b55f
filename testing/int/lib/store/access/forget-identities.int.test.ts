import { expect, it } from 'vitest'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { ApiKeys } from '@/lib/store/access/api-keys'
import { forgetIdentities } from '@/lib/store/access/forget-identities'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

const DAY = 86_400_000

onEachDatabase('sessions and guests that are over', ({ open }) => {
  const opened = openedStore(open)

  const person = ({ guest = true, days = 3 } = {}) => opened.person({ guest, days })
  const session = async (userId: string, endsIn: number) => {
    const id = newId()
    const row = { id, userId, token: id, expiresAt: new Date(Date.now() + endsIn) }
    await opened.database.orm.insert(schema.session).values(row)
    return id
  }
  const idsIn = async (table: 'user' | 'session') =>
    (await opened.database.query<{ id: string }>(`select id from "${table}"`)).map(({ id }) => id)
  /** As often as it takes to look at everybody. */
  const sweep = async () => {
    const sum = { sessions: 0, guests: 0 }
    for (let round = 0; round < 5; round++) {
      const { sessions, guests } = await forgetIdentities(opened.database)
      sum.sessions += sessions
      sum.guests += guests
    }
    return sum
  }

  it('given sessions that have ended and others, then those that have ended go', async () => {
    const ada = await person({ guest: false })
    const over = [await session(ada, -1000), await session(ada, -DAY)]
    const open = await session(ada, DAY)
    expect(await sweep()).toMatchObject({ sessions: 2 })
    const left = await idsIn('session')
    expect(left).toContain(open)
    for (const id of over) expect(left).not.toContain(id)
  })

  it('given guests, then those go that own nothing, are a day old and cannot come back; everybody else stays', async () => {
    const empty = [await person(), await person()]
    const [loggedOut] = empty
    await session(loggedOut ?? '', -1000)
    const stays = {
      account: await person({ guest: false }),
      young: await person({ days: 0.5 }),
      reading: await person(),
      withChat: await person(),
      withKey: await person(),
    }
    await session(stays.reading, DAY)
    await opened.store.upsertChat({ id: newId(), userId: stays.withChat })
    await new ApiKeys(opened.database).create(stays.withKey, { id: newId(), name: 'script' })
    expect(await sweep()).toMatchObject({ guests: 2 })
    const left = await idsIn('user')
    expect(left).toEqual(expect.arrayContaining(Object.values(stays)))
    for (const id of empty) expect(left).not.toContain(id)
  })

  it('given more guests than one call looks at, most of which own something, when three servers sweep at once and again, then all empty ones go, each once', async () => {
    const people = Array.from({ length: 700 }, () => ({ id: newId(), chat: newId(), branch: newId() }))
    const db = opened.database
    await db.query(
      `insert into "user" (id, name, email, is_anonymous, created_at) select p ->> 'id', 'Guest', (p ->> 'id') || '@x.org', true,
        now() - interval '2 days' from json_array_elements($1::json) p`,
      [JSON.stringify(people)],
    )
    const owners = people.filter((_, i) => i % 7 !== 0)
    await Promise.all(
      owners.map(({ id: userId, chat: chatId, branch: branchId }) =>
        opened.store.commit({ chatId, at: 1, create: { userId, branchId }, steps: [] }),
      ),
    )
    let removed = 0
    for (let round = 0; round < 6; round++) {
      const done = await Promise.all([1, 2, 3].map(() => forgetIdentities(db)))
      removed += done.reduce((sum, { guests }) => sum + guests, 0)
    }
    expect(removed).toBe(100)
    const left = new Set(await idsIn('user'))
    expect(owners.filter(({ id }) => !left.has(id))).toEqual([])
  })
})
