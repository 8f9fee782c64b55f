import { expect, it } from 'vitest'
import { createSeal, ProviderKeys } from '@/lib/store'
import { onEachDatabase, openedStore } from '@/testing/worlds/open-stores'

const SECRET = 'a-secret-for-these-tests-and-nothing-else'
const KEY = 'sk-proj-of-ada-0123456789-x4Qe'

onEachDatabase('keys for model providers', ({ open }) => {
  const opened = openedStore(open)
  const keys = () => new ProviderKeys<{ name: string }>(opened.database, () => createSeal(SECRET))

  const { person } = opened
  const save = (ownerId: string, given: { provider?: string; key?: string; baseUrl?: string | null } = {}) =>
    keys().save(ownerId, {
      provider: 'openai',
      key: KEY,
      baseUrl: null,
      models: [{ name: 'gpt-6-luna' }],
      ...given,
    })
  const rows = (ownerId: string) =>
    opened.database.query('select * from provider_keys where user_id = $1', [ownerId])

  it('given a saved key, then its owner sees its end, replies get the key, and the row does not show it', async () => {
    const ada = await person()
    const before = Date.now() - 1000
    const info = {
      provider: 'openai',
      hint: 'x4Qe',
      baseUrl: null,
      silenceMs: null,
      isReadable: true,
      savedAt: expect.any(Number),
    }
    expect(await save(ada)).toEqual(info)
    const listed = await keys().list(ada)
    expect(listed).toEqual([info])
    expect(listed[0]?.savedAt).toBeGreaterThan(before)
    expect(await keys().of(ada)).toEqual([{ ...info, key: KEY, models: [{ name: 'gpt-6-luna' }] }])
    expect(JSON.stringify(await rows(ada))).not.toContain('of-ada')
  })

  it('given how long its models may say nothing, then replies are asked with it, and the next save may leave it out', async () => {
    const ada = await person()
    const key = {
      provider: 'openai-compatible',
      key: KEY,
      baseUrl: 'https://models.example.org/v1',
      models: [],
    }
    await keys().save(ada, { ...key, silenceMs: 900_000 })
    expect(await keys().of(ada)).toMatchObject([{ silenceMs: 900_000 }])
    await keys().save(ada, key)
    expect(await keys().of(ada)).toMatchObject([{ silenceMs: null }])
  })

  it('given models longer than half a million characters, then they are refused, and the former stay', async () => {
    const ada = await person()
    await save(ada)
    const models = [{ name: 'x'.repeat(500_000) }]
    await expect(keys().save(ada, { provider: 'openai', key: KEY, baseUrl: null, models })).rejects.toThrow()
    expect((await keys().of(ada))[0]?.models).toEqual([{ name: 'gpt-6-luna' }])
  })

  it('given a short key, then nothing of it is shown', async () => {
    const ada = await person()
    expect(await save(ada, { key: 'secret-12' })).toMatchObject({ hint: '' })
  })

  it('given another key for the provider, then it takes the place of the first', async () => {
    const ada = await person()
    await save(ada)
    await save(ada, { provider: 'openai-compatible', baseUrl: 'https://a.example/v1' })
    await save(ada, { key: `${KEY}-second` })
    expect((await keys().of(ada)).map(({ provider, key, baseUrl }) => [provider, key, baseUrl])).toEqual([
      ['openai', `${KEY}-second`, null],
      ['openai-compatible', KEY, 'https://a.example/v1'],
    ])
  })

  it('given a row that was copied to another person, provider or address, then it does not open there', async () => {
    const [ada, bob] = [await person(), await person()]
    await save(ada)
    const copy = `insert into provider_keys (user_id, provider, sealed, hint, base_url, models)
      select $2, $3, sealed, hint, $4, models from provider_keys where user_id = $1 and provider = 'openai'`
    for (const [owner, provider, address] of [
      [bob, 'openai', null],
      [ada, 'anthropic', null],
      [bob, 'groq', 'https://evil.example/v1'],
    ]) {
      await opened.database.query(copy, [ada, owner, provider, address])
    }
    const stolen = [...(await keys().of(bob)), ...(await keys().of(ada))].filter(
      ({ provider, key }) => provider !== 'openai' || key === undefined,
    )
    expect(stolen.map(({ key, isReadable }) => [key, isReadable])).toEqual(
      Array.from({ length: 3 }, () => [undefined, false]),
    )
  })

  it('given another secret of the server, then the key is listed as one that cannot be read, until it is saved again', async () => {
    const ada = await person()
    await save(ada)
    const rotated = new ProviderKeys<{ name: string }>(opened.database, () => createSeal(`${SECRET}!`))
    expect(await rotated.list(ada)).toEqual([expect.objectContaining({ hint: 'x4Qe', isReadable: false })])
    await rotated.save(ada, { provider: 'openai', key: KEY, baseUrl: null, models: [] })
    expect(await rotated.list(ada)).toEqual([expect.objectContaining({ isReadable: true })])
  })

  it('given a person who is deleted, then the keys are gone too; a key of nobody is not saved', async () => {
    const ada = await person()
    await save(ada)
    await opened.database.query('delete from "user" where id = $1', [ada])
    expect(await rows(ada)).toEqual([])
    expect(await save(ada)).toBeUndefined()
    expect(await rows(ada)).toEqual([])
  })
})
