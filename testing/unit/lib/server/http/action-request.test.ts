import { describe, expect, test } from 'vitest'
import { isActionPayload, refusePageRequest } from '@/lib/server/http/action-request'

const page = 'http://localhost:3000/c/x'
const action = {
  host: 'localhost:3000',
  'next-action': '7f2f',
  'content-type': 'text/plain;charset=UTF-8',
  origin: 'http://localhost:3000',
}
const asked = async (method: string, headers: Record<string, string>, body?: BodyInit, publicUrl?: string) =>
  (await refusePageRequest(new Request(page, { method, headers, ...(body && { body }) }), publicUrl))?.status

describe('a request to a page', () => {
  test('given an action of ours, then it passes', async () => {
    expect(await asked('POST', action, '[{"chatId":"a","title":"$$5"}]')).toBeUndefined()
    expect(await asked('GET', { host: 'localhost:3000' })).toBeUndefined()
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'given %s that is no action, then it is 405',
    async (method) => expect(await asked(method, { host: 'localhost:3000' })).toBe(405),
  )

  test('given the header of an action that names none, then it is 405', async () =>
    expect(await asked('POST', { ...action, 'next-action': '' }, '[]')).toBe(405))

  test('given an action from another scheme, host or port, then it is 403, public address or not', async () => {
    for (const origin of ['http://localhost:3001', 'http://evil.example', 'null', 'nonsense'])
      expect(await asked('POST', { ...action, origin }, '[]')).toBe(403)
    expect(await asked('POST', action, '[]', 'https://chat.example')).toBe(403)
    const own = { ...action, origin: 'https://chat.example' }
    expect(await asked('POST', own, '[]', 'https://chat.example')).toBe(undefined)
  })

  test('given an action as a form, too large, or no UTF-8, then it is 400', async () => {
    const form = { ...action, 'content-type': 'multipart/form-data; boundary=x' }
    expect(await asked('POST', form, '--x--')).toBe(400)
    expect(await asked('POST', action, JSON.stringify(['a'.repeat(70_000)]))).toBe(400)
    expect(await asked('POST', action, new Uint8Array([0x5b, 0xff, 0x5d]))).toBe(400)
  })

  test('given an action whose body never ends, when its client leaves, then it is refused and not waited for', async () => {
    const leaving = new AbortController()
    const body = new ReadableStream<Uint8Array>({
      start: (end) => end.enqueue(new TextEncoder().encode('[')),
    })
    const init = { method: 'POST', headers: action, body, signal: leaving.signal, duplex: 'half' }
    const request = new Request(page, init as RequestInit)
    const refusal = refusePageRequest(request, undefined)
    leaving.abort()
    expect((await refusal)?.status).toBe(400)
  })
})

describe('the arguments of an action', () => {
  test('given arguments of ours and others, then they are told apart', () => {
    const ours = ['[]', '[{"a":"b","c":["$$x",1,true,null]}]', '["$undefined"]']
    const others = [
      ...['', '{', '{}', 'null', '"a"', '["$F1"]', '["$1"]', '[{"a":"$K1"}]', '[{"a":{"__proto__":1}}]'],
      ...['[1,2,3,4,5]', '[[[[[[[[[[[]]]]]]]]]]]'],
    ]
    const all = [...ours, ...others]
    const told = all.map((body) => [body, isActionPayload(body)])
    expect(told).toEqual(all.map((body) => [body, ours.includes(body)]))
  })
})
