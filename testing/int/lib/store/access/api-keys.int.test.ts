import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { ApiKeys } from '@/lib/store/access/api-keys'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

onEachDatabase('API keys', ({ open }) => {
  const opened = openedStore(open)
  const keys = () => new ApiKeys(opened.database)

  const { person } = opened
  const make = async (ownerId: string, name = 'script') => {
    const id = newId()
    const made = await keys().create(ownerId, { id, name })
    if (!made?.made) throw new Error('No key')
    return { id, name, key: made.key }
  }
  const use = (key: string, address = '10.0.0.1') => keys().holder(key, address)
  const lastUse = async (id: string) => {
    const sql = 'select last_used_at::text as at from api_keys where id = $1'
    return (await opened.database.query<{ at: string | null }>(sql, [id]))[0]?.at
  }

  it('given a key, when it is sent, then it stands for its owner, and the database holds nothing it could be made from', async () => {
    const ada = await person()
    const { id, key } = await make(ada)

    expect(key).toMatch(/^rk_[\w-]{43}$/)
    expect(await use(key)).toEqual({
      id: ada,
      name: 'Ada',
      guest: false,
      keyId: id,
      scopes: ['read', 'write'],
      expiresAt: null,
      fromNewAddress: true,
    })
    const sql = 'select * from api_keys where id = $1'
    const [row] = await opened.database.query<Record<string, string>>(sql, [id])
    expect(row?.hash).toBe(createHash('sha256').update(key).digest('hex'))
    expect(row?.hint).toBe(key.slice(0, 8))
    expect(JSON.stringify(row)).not.toContain(key.slice(8))
  })

  it('given a key that is used again and again, then that is written once a minute', async () => {
    const ada = await person()
    const { id, key } = await make(ada)
    expect(await lastUse(id)).toBeNull()

    await Promise.all(Array.from({ length: 20 }, () => use(key)))
    const first = await lastUse(id)
    expect(first).not.toBeNull()
    await use(key)
    expect(await lastUse(id)).toBe(first)

    await opened.database.query(
      `update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1`,
      [id],
    )
    await use(key)
    expect(await lastUse(id)).not.toBe(first)
    expect(Date.parse((await lastUse(id)) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
  })

  it('given several keys, when they are listed, then the newest is first and none is told whole', async () => {
    const ada = await person()
    const made = [await make(ada, 'one'), await make(ada, 'two')]
    await use(made[0]?.key ?? '')

    const listed = await keys().list(ada)

    expect(listed.map(({ name }) => name)).toEqual(['two', 'one'])
    expect(listed[0]).toMatchObject({ hint: made[1]?.key.slice(0, 8), lastUsedAt: null })
    expect(listed[1]?.lastUsedAt).toEqual(expect.any(Number))
    for (const { key } of made) expect(JSON.stringify(listed)).not.toContain(key)
  })

  it('given a hundred keys, when one more is made, then there is none; after one is revoked there is', async () => {
    const ada = await person()
    const made = await Promise.all(Array.from({ length: 100 }, () => make(ada)))
    const more = () => keys().create(ada, { id: newId(), name: 'one more' }, 100)
    expect(await more()).toEqual({ made: false, used: 100 })
    await keys().revoke(ada, made[0]?.id ?? '')
    expect(await more()).toMatchObject({ made: true })
  })

  it('given a limit of five keys, when twenty are made at once, then there are exactly five', async () => {
    const ada = await person()
    const create = () => keys().create(ada, { id: newId(), name: 'at once' }, 5)
    const made = await Promise.all(Array.from({ length: 20 }, create))
    expect(made.filter((one) => one?.made)).toHaveLength(5)
    expect(await keys().list(ada)).toHaveLength(5)
  })

  it('given a person who is gone, when a key is made, then there is none', async () => {
    expect(await keys().create('no such person', { id: newId(), name: 'late' })).toBeUndefined()
  })

  it('given a key that may only read, and ends, then both are told, and after its end it works no longer', async () => {
    const ada = await person()
    const id = newId()
    const expiresAt = Date.now() + 3_600_000
    const made = await keys().create(ada, { id, name: 'for an hour', scopes: ['read'], expiresAt })
    const key = made?.made ? made.key : ''
    expect(await use(key)).toMatchObject({ scopes: ['read'], expiresAt })
    expect(await keys().list(ada)).toMatchObject([{ scopes: ['read'], expiresAt }])

    await opened.database.query(`update api_keys set expires_at = now() where id = $1`, [id])
    expect(await use(key)).toBeUndefined()
    expect(await keys().list(ada)).toHaveLength(1)
    expect(await keys().forgetExpired(3_600_000)).toBe(0)
    expect(await keys().forgetExpired(-1)).toBe(1)
    expect(await keys().list(ada)).toEqual([])
  })

  it('given a key, when it is used from an address, then the first use from there is known as such, once, also of twenty at once', async () => {
    const { key } = await make(await person())
    const news = async (address: string) => (await use(key, address))?.fromNewAddress
    const firsts = await Promise.all(Array.from({ length: 20 }, () => news('10.0.0.1')))
    expect(firsts.filter(Boolean)).toHaveLength(1)
    expect(await news('10.0.0.2')).toBe(true)
    expect([await news('10.0.0.1'), await news('10.0.0.2')]).toEqual([false, false])
    // the latest fifty are remembered
    for (let at = 3; at <= 51; at++) await use(key, `10.0.0.${at}`)
    expect([await news('10.0.0.51'), await news('10.0.0.2')]).toEqual([false, false])
    expect(await news('10.0.0.1')).toBe(true)
  })
})
