import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'
import { keepFiles } from '../../../../../lib/runtime/front/kept-files.ts'

const script = 'export const word = "branch";\n'.repeat(200)
const address = '/_next/static/chunks/0a-b_c~d.js'
const compressing = { 'accept-encoding': 'gzip, deflate, br' }

let asked: string[]
let port: number
/** What the framework does for an address. */
let framework: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  asked = []
  framework = (_request, response) => {
    response.setHeader('cache-control', 'public, max-age=31536000, immutable')
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('accept-ranges', 'bytes')
    // as its own compression does before the first byte
    response.writeHead(200, { 'content-type': 'application/javascript', 'content-length': script.length })
    response.write(script.slice(0, 10))
    response.end(script.slice(10))
  }
  const handler = keepFiles((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    framework(request, response)
  })
  port = (await serveHttp((request, response) => void handler(request, response))).port
})
afterEach(closeServers)

async function ask(path: string, headers: Record<string, string> = compressing, method = 'GET') {
  const [response] = (await once(get({ host: '127.0.0.1', port, path, headers, method }), 'response')) as [
    IncomingMessage,
  ]
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

describe('a script of the build', () => {
  it('given that it was sent before, when it is asked for again, then it is answered from memory, the same', async () => {
    const first = await ask(address)
    const second = await ask(address)
    expect(asked).toEqual([`GET ${address}`])
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-encoding': 'br',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'application/javascript',
        'content-length': String(first.body.length),
      },
    })
    expect(first.headers).not.toHaveProperty('accept-ranges')
    expect(brotliDecompressSync(first.body).toString()).toBe(script)
    const { date: _first, ...sent } = first.headers
    expect(second).toMatchObject({ status: 200, headers: sent, body: first.body })
  })

  it('given a browser that takes gzip alone, or refuses brotli, then it gets gzip', async () => {
    for (const accepted of ['gzip', 'br;q=0, gzip', 'BR;q=0.0, gzip;q=0.5']) {
      const { headers, body } = await ask(address, { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(body).toString()).toBe(script)
    }
    expect(asked).toHaveLength(1)
  })

  it('given a client that takes it as it is, a part of it, its head, or a check of it, then the framework answers', async () => {
    await ask(address)
    const plain = await ask(address, {})
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.body.toString()).toBe(script)
    await ask(address, { ...compressing, range: 'bytes=0-9' })
    await ask(address, { ...compressing, 'if-none-match': 'W/"1"' })
    await ask(address, compressing, 'HEAD')
    expect(asked).toHaveLength(5)
  })

  it('given one that is not there yet, then that is not kept', async () => {
    const found = framework
    framework = (_request, response) => {
      response.statusCode = 404
      response.end('not found')
    }
    expect(await ask(address)).toMatchObject({ status: 404, body: Buffer.from('not found') })
    framework = found
    expect(await ask(address)).toMatchObject({ status: 200 })
  })

  it('given a reader that leaves before the end, then the next one gets it whole', async () => {
    const whole = framework
    const left = Promise.withResolvers<void>()
    framework = (_request, response) => {
      response.write(script.slice(0, 10))
      response.once('close', left.resolve)
      leaving.destroy()
    }
    const leaving = get({ host: '127.0.0.1', port, path: address, headers: compressing })
    leaving.on('error', () => undefined)
    await left.promise
    framework = whole
    expect(brotliDecompressSync((await ask(address)).body).toString()).toBe(script)
  })
})

it('given other addresses, and other spellings of one, then nothing of them is kept', async () => {
  const others = [
    ...['/', '/api/health', '/_next/image?url=a.js', `${address}?1`, '/_next/static/chunks/%61.js'],
    ...['/_next/static//a.js', '/_next/static/./a.js', '/_next/static/../a.js'],
    '/_next/static/media/font.woff2',
  ]
  for (const path of [...others, ...others]) await ask(path)
  expect(asked).toHaveLength(2 * others.length)
})

it('given a file that may change, then it is not kept', async () => {
  framework = (_request, response) => {
    response.setHeader('cache-control', 'public, max-age=0')
    response.end(script)
  }
  expect((await ask(address)).body.toString()).toBe(script)
  await ask(address)
  expect(asked).toHaveLength(2)
})
