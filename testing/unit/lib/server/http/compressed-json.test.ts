import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressedJson } from '@/lib/server/http/compressed-json'

const request = (accept: string) => new Request('http://x', { headers: { accept } })
const long = { words: 'so '.repeat(10_000) }

test('given a request that accepts gzip, when the answer is long, then it is compressed', async () => {
  const answer = await compressedJson(request('application/gzip, application/json'), long)
  expect(answer.headers.get('content-type')).toBe('application/gzip')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const body = Buffer.from(await answer.arrayBuffer())
  expect(body.length).toBeLessThan(1000)
  expect(JSON.parse(gunzipSync(body).toString())).toEqual(long)
})

test('given another request, or a short answer, then it is plain JSON', async () => {
  for (const [accept, value] of [['*/*', long] as const, ['application/gzip', { words: 'so' }] as const]) {
    const answer = await compressedJson(request(accept), value)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toHaveProperty('words')
  }
})

test('given long lists among other members, when they are written page by page, then the JSON is the same', async () => {
  const list = Array.from({ length: 1001 }, (_, at) => ({ at, none: undefined }))
  const value = { '"': 1, list, left: undefined, empty: [], gaps: [undefined, ...list], day: new Date(0) }
  const answer = await compressedJson(request('*/*'), value)
  expect(await answer.text()).toBe(JSON.stringify(value))
  expect(await (await compressedJson(request('*/*'), {})).text()).toBe('{}')
})
