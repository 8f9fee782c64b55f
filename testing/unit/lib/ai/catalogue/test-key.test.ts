import { afterEach, expect, it } from 'vitest'
import { testKey } from '@/lib/ai/catalogue/test-key'
import { KeyTestError } from '@/lib/ai/model-errors'
import { ownHostFetch } from '@/lib/ai/own-host-fetch'
import { withoutSecrets } from '@/lib/ai/redact'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'

afterEach(closeServers)

/** A provider that answers each request in turn. */
function provider(...answers: (Response | Error)[]) {
  const asked: { url: string; headers: Headers }[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push({ url: String(input), headers: new Headers(init?.headers) })
    const answer = answers.shift()
    if (answer === undefined) throw new Error('Asked too often')
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, fetch: ownHostFetch(fetch) }
}

const models = (...ids: string[]) => Response.json({ data: ids.map((id) => ({ id })) })
const openai = { provider: 'openai', key: 'plain-words-key', baseUrl: null } as const
const own = { provider: 'openai-compatible', key: '', baseUrl: 'https://models.example.org/v1' } as const

it('given a good key, then one request brings the models', async () => {
  const { asked, fetch } = provider(models('gpt-6-luna'))
  expect(await testKey(openai, fetch)).toEqual([{ name: 'gpt-6-luna' }])
  expect(asked.map(({ url }) => url)).toEqual(['https://api.openai.com/v1/models'])
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer plain-words-key')
})

it('given a provider whose list is open to everyone, then the key is checked before', async () => {
  const { asked, fetch } = provider(Response.json({}), models('a'))
  await testKey({ ...openai, provider: 'openrouter' }, fetch)
  const urls = asked.map(({ url }) => url)
  expect(urls).toEqual(['key', 'models'].map((path) => `https://openrouter.ai/api/v1/${path}`))
})

it.each([
  ['anthropic', 'x-api-key'],
  ['google', 'x-goog-api-key'],
] as const)('given %s, then the key goes in its own header and not in the address', async (name, header) => {
  const { asked, fetch } = provider(models('a'))
  await testKey({ ...openai, provider: name }, fetch)
  expect(asked[0]?.headers.get(header)).toBe('plain-words-key')
  expect(asked[0]?.headers.has('authorization')).toBe(false)
  expect(asked[0]?.url).not.toContain('plain-words-key')
})

it('given a server without keys, then none is sent', async () => {
  const { asked, fetch } = provider(models('llama'))
  expect(await testKey(own, fetch)).toEqual([{ name: 'llama' }])
  expect(asked[0]?.headers.has('authorization')).toBe(false)
})

const refusal = (error: unknown) => (error instanceof KeyTestError ? [error.code, error.message] : error)

it.each([
  ['401', new Response('no: plain-words-key', { status: 401 }), 'key_refused', 'OpenAI refused this key'],
  ['403', new Response(null, { status: 403 }), 'key_refused', 'OpenAI refused this key'],
  ['500', new Response(null, { status: 500 }), 'provider_answer', '(500)'],
  ['404', new Response(null, { status: 404 }), 'provider_answer', 'no list of models'],
  ['a page', new Response('<html>plain-words-key'), 'provider_answer', 'without a list'],
  ['other JSON', Response.json({ a: 1 }), 'provider_answer', 'without a list'],
  ['nothing', new TypeError('fetch failed'), 'provider_unreachable', 'could not be reached'],
  ['no answer in time', new DOMException('', 'TimeoutError'), 'provider_unreachable', 'within 10 seconds'],
  [
    'a redirect elsewhere',
    new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } }),
    ...['address_refused', 'leads to another host'],
  ],
] as const)('given %s, then the words say so and quote nothing', async (_what, answer, code, words) => {
  const [said, message] = (await testKey(openai, provider(answer).fetch).then(
    () => ['accepted', ''],
    refusal,
  )) as [string, string]
  expect(said).toBe(code)
  expect(message).toContain(words)
  expect(message).not.toContain('plain-words-key')
})

it('given a compatible server without models, then the key is not taken', async () => {
  const asked = testKey(own, provider(models()).fetch).catch(refusal)
  expect(await asked).toEqual(['provider_answer', expect.stringContaining('without a list')])
})

it('given a list that never ends, then reading stops', async () => {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000_000
      controller.enqueue(new Uint8Array(1_000_000))
    },
  })
  const { fetch } = provider(new Response(body))
  expect(await testKey(openai, fetch).catch(refusal)).toEqual(['provider_answer', expect.any(String)])
  expect(sent).toBeLessThan(6_000_000)
})

it('given a key that looks like any words, once it was accepted, then it is hidden in texts', async () => {
  await testKey({ ...openai, key: 'hippopotamus-in-mud' }, provider(models('a')).fetch)
  expect(withoutSecrets('You sent hippopotamus-in-mud, which is wrong')).toBe(
    'You sent [hidden], which is wrong',
  )
})

it('given a word that a provider refused as a key, then texts keep it', async () => {
  const { fetch } = provider(new Response(null, { status: 401 }))
  await testKey({ ...openai, key: 'could-not-be-reached' }, fetch).catch(refusal)
  expect(withoutSecrets('It could-not-be-reached')).toBe('It could-not-be-reached')
})

/** A compatible server that lists its models page by page; `page` gets what was asked for. */
async function paged(page: (query: URLSearchParams) => unknown) {
  const asked: string[] = []
  const { url } = await serveHttp(({ url = '' }, response) => {
    asked.push(url)
    const answer = page(new URL(url, 'http://here').searchParams)
    response.writeHead(answer === undefined ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  const found = await testKey({ ...own, baseUrl: url }, ownHostFetch())
  return { names: found.map(({ name }) => name), asked: asked.length }
}

const pageOf = (id: string, more: object) => ({ data: [{ id }], ...more })

it.each([
  [
    'Anthropic’s',
    (query: URLSearchParams) =>
      query.get('after_id') === 'a'
        ? pageOf('b', { has_more: false, last_id: 'b' })
        : pageOf('a', { has_more: true, last_id: 'a' }),
  ],
  [
    'OpenAI’s',
    (query: URLSearchParams) =>
      query.get('after') === 'a'
        ? pageOf('b', { has_more: false })
        : pageOf('a', { has_more: true, last_id: 'a' }),
  ],
  [
    'Google’s',
    (query: URLSearchParams) =>
      query.get('pageToken') === 'x y&z'
        ? { models: [{ name: 'models/b' }] }
        : { models: [{ name: 'models/a' }], nextPageToken: 'x y&z' },
  ],
  [
    'a cursor’s',
    (query: URLSearchParams) =>
      query.get('cursor') === '2' ? pageOf('b', {}) : pageOf('a', { next_cursor: '2' }),
  ],
])('given a list in %s pages, then all of it is read', async (_whose, page) => {
  expect(await paged(page)).toEqual({ names: ['a', 'b'], asked: 2 })
})

it.each([
  ['gives the same page again', () => pageOf('a', { has_more: true, last_id: 'a' }), 2],
  ['fails', (query: URLSearchParams) => (query.size > 0 ? undefined : pageOf('a', { nextCursor: '2' })), 2],
  [
    'is no list',
    (query: URLSearchParams) => (query.size > 0 ? { error: 'no' } : pageOf('a', { nextCursor: '2' })),
    2,
  ],
  [
    'never ends',
    (query: URLSearchParams) => pageOf('a', { nextCursor: `${query.get('cursor') ?? ''}x` }),
    21,
  ],
])('given a next page that %s, then what was listed before counts', async (_what, page, asked) => {
  expect(await paged(page)).toEqual({ names: ['a'], asked })
})

it.each([
  ['a bare list', [{ id: 'a' }]],
  ['names', { models: ['a', null, 7] }],
  ['one entry that is broken', { data: [null, { id: 'a' }, { id: null }] }],
  ['Ollama’s tags', { models: [{ name: 'a' }] }],
])('given a compatible server that lists its models as %s, then its key is taken', async (_what, answer) => {
  expect(await paged(() => answer)).toEqual({ names: ['a'], asked: 1 })
})
