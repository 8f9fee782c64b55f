import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { Attempts } from '@/lib/store/access/attempts'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('attempts', ({ open }) => {
  const opened = openedStore(open)
  const attempts = () => new Attempts(opened.database)

  const runOut = (key: string) =>
    opened.database.query(`update attempts set until = now() - interval '1 second' where key = $1`, [key])

  it('given twenty attempts at once, by servers that share the database, then each is counted once', async () => {
    const key = newId()
    const servers = [attempts(), new Attempts(opened.database)]
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (servers[n % 2] as Attempts).count({ key, seconds: 60 })),
    )
    const counts = counted.flat().map(({ count }) => count)
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    for (const { freesIn } of counted.flat()) expect(freesIn).toBeGreaterThan(50)
  })

  it('given several counts in one, also in another order at once, then each comes back in its place', async () => {
    const [one, other] = [newId(), newId()]
    await attempts().count({ key: one, seconds: 60 })
    const both = await Promise.all([
      attempts().count({ key: one, seconds: 60 }, { key: other, seconds: 900 }),
      attempts().count({ key: other, seconds: 900 }, { key: one, seconds: 60 }),
    ])
    expect(both[0].map(({ count }) => count).sort()).not.toEqual(both[1].map(({ count }) => count).sort())
    expect(both[0][1]?.freesIn).toBeGreaterThan(800)
    const again = await attempts().count({ key: other, seconds: 900 }, { key: one, seconds: 60 })
    expect(again.map(({ count }) => count)).toEqual([3, 4])
  })

  it('given a count whose time is over, when it is tried again, then it is the first; what has run out is forgotten', async () => {
    const [again, old] = [newId(), newId()]
    for (const key of [again, again, old]) await attempts().count({ key, seconds: 60 })
    await runOut(again)
    await runOut(old)
    expect(await attempts().count({ key: again, seconds: 60 })).toMatchObject([{ count: 1 }])
    expect(await attempts().forgetOld()).toBe(1)
    expect([await attempts().has(again), await attempts().has(old)]).toEqual([true, false])
  })

  it('given something noted, then it is there until its time is over, counted from the last note', async () => {
    const key = newId()
    expect(await attempts().has(key)).toBe(false)
    await attempts().note({ key, seconds: 60 })
    await runOut(key)
    expect(await attempts().has(key)).toBe(false)
    await attempts().note({ key, seconds: 60 })
    expect(await attempts().has(key)).toBe(true)
  })
})
