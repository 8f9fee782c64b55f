import { describe, expect, it } from 'vitest'
import { type ReplySlot, ReplySlots } from '@/lib/conversations/replies/reply-slots'

/** Takes as many places for a person as there are, one after the other. */
async function fill(slots: ReplySlots, ownerId: string): Promise<ReplySlot[]> {
  const taken: ReplySlot[] = []
  for (let slot = await slots.admit(ownerId); slot; slot = await slots.admit(ownerId)) taken.push(slot)
  return taken
}

it('given a person with as many replies as may be, then another one finds no place until one of them ends', async () => {
  const slots = new ReplySlots({ perPerson: 3, perServer: 100 })
  const taken = await fill(slots, 'mallory')
  expect(taken).toHaveLength(3)
  expect(await slots.admit('ada')).toBeDefined()
  taken[0]?.release()
  taken[0]?.release()
  expect(await fill(slots, 'mallory')).toHaveLength(1)
  expect(slots.writing('mallory')).toBe(3)
})

it('given persons who write as much as they can, then the last quarter is kept for those with fewer than two', async () => {
  const slots = new ReplySlots({ perPerson: 100, perServer: 8 })
  expect(await fill(slots, 'mallory')).toHaveLength(6)
  expect(await fill(slots, 'trudy')).toHaveLength(2)
  expect(await slots.admit('ada')).toBeUndefined()
})

it('given a server without a limit, then only the limit of each person holds', async () => {
  const slots = new ReplySlots({ perPerson: 50, perServer: Number.POSITIVE_INFINITY })
  expect(await fill(slots, 'mallory')).toHaveLength(50)
  expect(await slots.admit('ada')).toBeDefined()
})

it('given many in line, when places become free, then persons with the fewest replies go first, each the oldest first', async () => {
  const slots = new ReplySlots({ perPerson: 2, perServer: 4 })
  const held = [...(await fill(slots, 'mallory')), ...(await fill(slots, 'trudy'))]
  const order: string[] = []
  const wait = (ownerId: string, name: string) => void slots.take(ownerId).then(() => order.push(name))
  for (const n of [1, 2, 3]) wait('mallory', `mallory ${n}`)
  for (const n of [1, 2]) wait('ada', `ada ${n}`)
  wait('bob', 'bob 1')
  // when mallory has one left, then none, then trudy likewise
  for (const slot of held) slot.release()
  await Promise.resolve()
  expect(order).toEqual(['ada 1', 'mallory 1', 'bob 1', 'mallory 2'])
})

it('given a process that is to end, then who waits in line is sent away, and who comes later too', async () => {
  const slots = new ReplySlots({ perPerson: 1, perServer: 1 })
  await fill(slots, 'ada')
  const waiting = slots.take('ada')
  slots.close()
  expect(await waiting).toBeUndefined()
  expect(await slots.take('ada')).toBeUndefined()
})

describe('while waiting runs are looked for', () => {
  /** A look that is under way until `end` says what it brings. */
  function look(slots: ReplySlots, limit = 100) {
    const result = Promise.withResolvers<{ ownerId: string }[]>()
    const seen = Promise.withResolvers<unknown>()
    const claimed = slots.claim(limit, (room) => {
      seen.resolve(room)
      return result.promise
    })
    return { room: seen.promise, end: result.resolve, claimed }
  }

  it('given some places taken, then it is told how many are left, and which turns the database does not know yet', async () => {
    const slots = new ReplySlots({ perPerson: 100, perServer: 8 })
    const [first] = [await slots.admit('ada'), await slots.admit('ada')]
    first?.stored()
    const { room, end } = look(slots)
    expect(await room).toEqual({ total: 6, general: 4, storing: { ada: 1 } })
    end([])
  })

  it('given it may bring as many as a person may have, when they send a turn, then that waits for what it brings', async () => {
    const slots = new ReplySlots({ perPerson: 3, perServer: 8 })
    await slots.admit('ada')
    const { end, claimed } = look(slots)
    const turn = slots.admit('ada')
    end([{ ownerId: 'ada' }, { ownerId: 'ada' }])
    expect(await claimed).toHaveLength(2)
    expect(await turn).toBeUndefined()
    expect(slots.writing('ada')).toBe(3)
  })

  it('given it brings nothing, when a turn has waited for it, then the turn has its place', async () => {
    const slots = new ReplySlots({ perPerson: 2, perServer: 8 })
    await slots.admit('ada')
    const { end } = look(slots)
    const turn = slots.admit('ada')
    end([])
    expect(await turn).toBeDefined()
  })

  it('given it takes long, when a person with nothing under way sends a turn, then that does not wait for it', async () => {
    const slots = new ReplySlots({ perPerson: 2, perServer: 8 })
    const { end } = look(slots)
    expect(await slots.admit('ada')).toBeDefined()
    end([])
  })

  it('given it fails, then its places are free again', async () => {
    const slots = new ReplySlots({ perPerson: 8, perServer: 1 })
    await expect(slots.claim(1, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await slots.admit('ada')).toBeDefined()
  })

  it('given a place that becomes free, then those who listen are woken until they leave', async () => {
    const slots = new ReplySlots({ perPerson: 1, perServer: 1 })
    let woken = 0
    const leave = slots.subscribe(() => {
      woken++
    })
    ;(await slots.admit('ada'))?.release()
    leave()
    ;(await slots.admit('ada'))?.release()
    expect(woken).toBe(1)
  })
})
