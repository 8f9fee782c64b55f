import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { plainFetch, readsCodings } from '@/lib/ai/wire/plain-fetch'
import { close, listen } from '@/testing/machines/listen'

const fetchPlain = plainFetch(new Agent())
let respond: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end()
let seen: string[] = []
const server = createServer((request, response) => {
  seen = request.rawHeaders
  respond(request, response)
})
const address = `http://127.0.0.1:${await listen(server)}/v1?a=b`
afterAll(() => close(server))

const words = 'Olá — 你好 '.repeat(1000)

it('given headers, then the server is sent those, and what a connection needs', async () => {
  respond = (_, response) => response.end()
  await fetchPlain(address, { method: 'POST', headers: { 'x-app': 'cli', accept: 'text/plain' }, body: 'hi' })
  const names = seen.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
  expect(names.sort()).toEqual(['accept', 'connection', 'content-length', 'host', 'x-app'])
})

it.each<[string, (text: string) => Uint8Array]>([
  ['identity', Buffer.from],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
])('given an answer in %s, then its words are read, and its headers are told', async (coding, packed) => {
  respond = (_, response) => {
    const headers = coding === 'identity' ? {} : { 'content-encoding': coding }
    response.writeHead(201, { ...headers, 'x-name': ['one', 'two'] }).end(packed(words))
  }
  const response = await fetchPlain(address)
  expect([response.status, response.headers.get('x-name')]).toEqual([201, 'one, two'])
  expect(await response.text()).toBe(words)
})

it('given an answer in gzip that comes over time, then each part is read when it is there', async () => {
  const packed = gzipSync(words)
  const rest = Promise.withResolvers<void>()
  respond = async (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).write(packed.subarray(0, packed.length - 10))
    await rest.promise
    response.end(packed.subarray(-10))
  }
  const reader = (await fetchPlain(address)).body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  rest.resolve()
  await reader?.cancel()
})

it('given a redirect, an answer without a body, and a cut one, then each is told as fetch tells it', async () => {
  respond = (_, response) => response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end('moved')
  const moved = await fetchPlain(address)
  expect([moved.status, await moved.text()]).toEqual([302, 'moved'])
  respond = (_, response) => response.writeHead(204).end()
  expect(await (await fetchPlain(address)).text()).toBe('')
  respond = (_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('half')
    setImmediate(() => response.destroy())
  }
  await expect(fetchPlain(address).then((cut) => cut.text())).rejects.toThrow(TypeError)
  await expect(fetchPlain('http://127.0.0.1:9/')).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  })
})

it('given a signal that is aborted before the answer or within it, then its reason is the rejection', async () => {
  const stopped = new AbortController()
  respond = (_, response) => response.writeHead(200).write('begun')
  const response = await fetchPlain(address, { signal: stopped.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  const next = reader?.read()
  stopped.abort(new RangeError('enough'))
  await expect(next).rejects.toThrow('enough')
  await expect(fetchPlain(address, { signal: stopped.signal })).rejects.toThrow('enough')
})

it('given what a client accepts, then it is told whether all of it can be read here', () => {
  expect(['gzip, deflate, br;q=0.5', 'identity', ''].map(readsCodings)).toEqual([true, true, true])
  expect(['gzip, compress', '*', 'toString'].map(readsCodings)).toEqual([false, false, false])
})
