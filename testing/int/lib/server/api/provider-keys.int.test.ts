import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listModels } from '@/lib/server/api/models'
import {
  listProviderKeys,
  removeProviderKey,
  saveProviderKey,
  testProviderKey,
} from '@/lib/server/api/provider-keys'
import { type OpenAIServer, startOpenAIServer } from '@/testing/machines/openai-server'
import { type Caller, useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const GOOD = 'good-key-of-the-test-1234'
const OWN = 'openai-compatible'

onOneDatabase('the routes of provider keys', ({ name }) => {
  // tests of keys are counted only where requests are
  const api = useApi(name, { RAMIFY_PRIVATE_ADDRESSES: 'on', RAMIFY_RATE_LIMIT: '120' })
  const { lines } = api
  let provider: OpenAIServer
  /** called with every request for the provider's models, which waits for what it returns */
  const onList = vi.fn<() => Promise<unknown> | undefined>()

  beforeAll(async () => {
    provider = await startOpenAIServer({ apiKey: GOOD, models: ['llama', 'text-embedding-x'], onList })
  })
  afterAll(() => provider?.close())

  const keysOf = ({ ask }: Caller) => ({
    list: () => ask(listProviderKeys),
    models: () => ask(listModels),
    save: (id: string, body: unknown, signal?: AbortSignal) =>
      ask(saveProviderKey, { id, signal, ...(typeof body === 'string' ? asJson(body) : { body }) }),
    test: (id: string) => ask(testProviderKey, { id }),
    remove: (id: string) => ask(removeProviderKey, { id }),
  })
  const asJson = (raw: string) => ({ raw, headers: { 'content-type': 'application/json' } })
  /** A person in a browser, and the person's script. */
  const person = async () => {
    const ada = await api.person()
    return { id: ada.id, script: keysOf(await ada.script()), ...keysOf(ada) }
  }
  const own = (key = GOOD) => ({ key, base_url: provider.url })

  it('given a good key, when it is saved, then it is tested, its models are offered, and it is in no answer and no line', async () => {
    const ada = await person()
    const before = (await ada.script.models()).body
    expect(before.models.map(({ id }: { id: string }) => id)).toEqual(['demo:demo'])
    const saved = await ada.save(OWN, own())
    expect(saved.status).toBe(200)
    expect(saved.body).toEqual({
      provider: OWN,
      hint: '1234',
      base_url: provider.url,
      readable: true,
      silence_ms: null,
      saved_at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const listed = await ada.list()
    expect(listed.body.keys).toEqual([saved.body])
    const models = await ada.models()
    const unknown = { window: null, price: null, tools: null }
    expect(models.body).toMatchObject({
      models: [
        { id: 'openai-compatible:llama', name: 'llama', provider: OWN, ...unknown },
        { id: 'demo:demo', price: { input: 0, output: 0, cached: 0 } },
      ],
      default: 'openai-compatible:llama',
    })
    const tested = await ada.test(OWN)
    expect(tested.body).toEqual({ provider: OWN, models: 1 })
    const removed = await ada.remove(OWN)
    expect(removed.status).toBe(204)
    expect((await ada.list()).body.keys).toEqual([])
    expect((await ada.models()).body).toEqual(before)

    const said = [saved, listed, models, tested, removed].map(({ text }) => text).join()
    expect(said).not.toContain('good-key')
    const ours = lines.filter((line) => line.includes(ada.id)).map((line) => JSON.parse(line))
    expect(ours.map(({ audit, provider: of }) => [audit, of])).toEqual([
      ['sign_in', undefined],
      ['key_first_used', undefined],
      ['provider_key_saved', OWN],
      ['provider_key_removed', OWN],
    ])
    expect(lines.join()).not.toContain('good-key')
  })

  it('given a key the provider refuses, or an address where nothing answers, then 422 says so, and the key before it stays', async () => {
    const ada = await person()
    await ada.save(OWN, own())
    const wrong = 'a-wrong-key-of-ada'
    for (const [body, code, words] of [
      [own(wrong), 'key_refused', 'refused this key'],
      [{ key: wrong, base_url: 'http://127.0.0.1:1/v1' }, 'provider_unreachable', ''],
    ] as const) {
      const refused = await ada.save(OWN, body)
      expect([refused.status, refused.body.code]).toEqual([422, code])
      expect(refused.body.detail).toContain(words)
      expect(refused.text).not.toContain(wrong)
    }
    expect((await ada.list()).body.keys).toMatchObject([{ hint: '1234', base_url: provider.url }])
    expect(lines.join()).not.toContain(wrong)
  })

  it('given what is no key, or no address of one, then 400, and nothing is saved', async () => {
    const ada = await person()
    const { base_url } = own()
    const keys = [7, 'a b', 'a\r\nx-evil: 1', 'a\0b', 'x'.repeat(501)]
    const addresses = [
      'ftp://a.example',
      'a.example/v1',
      'https://u:p@a.example/v1',
      'https://a.example/v1?x=1',
    ]
    const bodies = [
      ...['', '{', null, { base_url }, { ...own(), note: 'x' }, { key: GOOD }],
      ...keys.map((key) => ({ key, base_url })),
      ...['', ...addresses].map((address) => ({ key: GOOD, base_url: address })),
    ]
    for (const [of, body] of [
      ...bodies.map((body) => [OWN, body] as const),
      ...([
        ['openai', { key: ' ' }],
        ['openai', own()],
      ] as const),
    ])
      expect((await ada.save(of, body)).status, JSON.stringify(body)).toBe(400)
    expect((await ada.list()).body.keys).toEqual([])
  })

  it('given nothing, a name that is no provider, or another person’s key, then 404, the same for each', async () => {
    const [ada, bob] = [await person(), await person()]
    await bob.save(OWN, own())
    const answers = [await ada.save('nope', { key: GOOD }), await ada.remove('constructor')]
    for (const of of [OWN, 'nope']) answers.push(await ada.test(of), await ada.remove(of))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`404 ${answers[0]?.text}`]),
    )
    expect((await bob.list()).body.keys).toHaveLength(1)
  })

  it('given no session and no key, or a wrong one, then 401', async () => {
    for (const credential of [undefined, { authorization: 'Bearer rk_wrong' }]) {
      const stranger = keysOf(api.caller(credential))
      const answers = [await stranger.list(), await stranger.models(), await stranger.save(OWN, own())]
      answers.push(await stranger.test(OWN), await stranger.remove(OWN))
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    }
  })

  it('given an API key with every scope, then it lists keys, but saves, tests and removes none', async () => {
    const ada = await person()
    await ada.save(OWN, own())
    const before = await ada.list()
    onList.mockClear()
    const elsewhere = { key: 'key-of-another-server', base_url: 'http://127.0.0.1:1/v1' }
    const { save, test, remove } = ada.script
    const detail = expect.stringMatching(/API key cannot/)
    const asked = [save(OWN, elsewhere), test(OWN), remove(OWN), remove('nope')]
    for (const refused of await Promise.all(asked))
      expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope', detail } })
    expect((await ada.script.list()).body).toEqual(before.body)
    expect(onList).not.toHaveBeenCalled()
  })

  it('given a form that is cancelled while its key is tested, then nothing is saved, and the key before it stays', async () => {
    const ada = await person()
    await ada.save(OWN, own())
    const before = await ada.list()
    const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    onList.mockImplementationOnce(() => {
      asked.resolve()
      return answers.promise
    })
    const leaving = new AbortController()
    const saving = ada.save(OWN, own(), leaving.signal)
    await asked.promise
    leaving.abort()
    answers.resolve()
    expect((await saving).status).toBeGreaterThanOrEqual(400)
    expect((await ada.list()).body).toEqual(before.body)
  })

  it('given eleven tests in a minute, then the last is refused with the wait, and causes no request', async () => {
    const ada = await person()
    const statuses: number[] = []
    for (let test = 0; test < 10; test++) statuses.push((await ada.save(OWN, own('wrong-key-again'))).status)
    expect(new Set(statuses)).toEqual(new Set([422]))
    const refused = await ada.save(OWN, own())
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ada.list()).body.keys).toEqual([])
  })

  it('given another secret of the server since, then the key says so, and its test is refused with what to do', async () => {
    const ada = await person()
    await ada.save(OWN, own())
    await api.query(`update provider_keys set sealed = 'v1.' || repeat('A', 60) where user_id = $1`, ada.id)
    expect((await ada.list()).body.keys).toEqual([expect.objectContaining({ hint: '1234', readable: false })])
    const refused = await ada.test(OWN)
    expect([refused.status, refused.body.code]).toEqual([422, 'key_unreadable'])
    expect((await ada.save(OWN, own())).body.readable).toBe(true)
  })
})
