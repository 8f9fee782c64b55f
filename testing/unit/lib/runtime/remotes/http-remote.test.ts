import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownHostFetch, unhurriedFetch } from '@/lib/ai'
import { HttpRemote } from '@/lib/runtime/remotes/http-remote'
import { RemoteApi } from '@/lib/runtime/remotes/remote-api'
import { close, listen } from '@/testing/machines/listen'

const KEY = 'rk_a-key-of-these-tests-1234'

/** The bodies that were sent, oldest first; each test answers them in its own way. */
const sent: { path: string; key: string | undefined; body: string }[] = []
let answer: (response: ServerResponse, body: string) => void

const server = createServer(async (request: IncomingMessage, response) => {
  const body = await text(request)
  sent.push({ path: request.url ?? '', key: request.headers.authorization, body })
  answer(response, body)
})
let url: string

beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => close(server))

const remote = (bounds: ConstructorParameters<typeof HttpRemote>[2] = {}, silenceMs = 10_000) => {
  sent.length = 0
  const place = { name: 'work', url, key: KEY }
  return new HttpRemote(new RemoteApi(place, ownHostFetch(unhurriedFetch), silenceMs), undefined, {
    pause: 1,
    ...bounds,
  })
}
const refuse = (status: number, code: string, detail: string) => (response: ServerResponse) =>
  void response
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ type: 'about:blank', title: code, status, detail, code }))
async function linesOf(found: HttpRemote): Promise<string[]> {
  const lines: string[] = []
  for await (const line of found.fetch('trip', { want: ['m3'], have: ['m1'] })) lines.push(line)
  return lines
}

const pack = ['{"n":0}', '{"n":1,"said":"Olá"}', '{"n":2}', '{"end":true}']

describe('the refs of a chat on another server', () => {
  it('given a chat, then its refs are read with the key', async () => {
    answer = (response) =>
      response.end(
        JSON.stringify({
          chat_id: 'trip',
          origin: 'o',
          title: null,
          branches: [{ name: 'main', head_message_id: 'm1' }],
          checkpoints: [{ name: 'met', message_id: 'm0' }],
          seq: 4,
        }),
      )
    expect(await remote().refs('trip')).toEqual({
      chatId: 'trip',
      origin: 'o',
      title: null,
      branches: [{ name: 'main', headMessageId: 'm1' }],
      checkpoints: [{ name: 'met', messageId: 'm0' }],
      seq: 4,
    })
    expect(sent).toEqual([{ path: '/api/chats/trip/refs', key: `Bearer ${KEY}`, body: '' }])
  })

  it('given no such chat, then there are none; given a server that exchanges no chats, then it is older', async () => {
    const missing = refuse(404, 'not_found', 'Chat not found')
    answer = (response) =>
      sent.at(-1)?.path === '/api/exchange'
        ? response.end(JSON.stringify({ server: 'ramify', exchange: 1, writes: true }))
        : missing(response)
    expect(await remote().refs('trip')).toBeNull()
    answer = missing
    await expect(remote().refs('trip')).rejects.toMatchObject({ code: 'remote_older' })
  })
})

describe('a pack of another server', () => {
  it('given a pack in pieces that part letters and lines, then its lines are read', async () => {
    const bytes = Buffer.from(`${pack.join('\n')}\n`)
    answer = (response) => {
      for (const byte of bytes) response.write(Buffer.of(byte))
      response.end()
    }
    expect(await linesOf(remote())).toEqual(pack)
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ want: ['m3'], have: ['m1'], after: 0 }])
  })

  it('given a pack that breaks off within a line, when it is gone on with, then each line is read once', async () => {
    const cuts: ((response: ServerResponse) => void)[] = [
      // cut by the connection, and ended well behind half a line
      (response) => response.write(`${pack[0]}\n${pack[1]?.slice(0, 5)}`, () => response.destroy()),
      (response) => void response.end(`${pack[1]}\n{"n"`),
    ]
    answer = (response, body) => {
      const { after } = JSON.parse(body)
      const cut = cuts.shift()
      if (cut) cut(response)
      else
        response.end(
          pack
            .slice(after)
            .map((line) => `${line}\n`)
            .join(''),
        )
    }
    expect(await linesOf(remote())).toEqual(pack)
    expect(sent.map(({ body }) => JSON.parse(body).after)).toEqual([0, 1, 2])
  })

  it('given a pack that always breaks off before a line, then it is given up after some tries, in words', async () => {
    answer = (response) => void response.end('{"n"')
    await expect(linesOf(remote({ tries: 2 }))).rejects.toMatchObject({ code: 'remote_unreachable' })
    expect(sent).toHaveLength(3)
  })

  it('given a line or a pack that is too long, then it is refused and not read to its end', async () => {
    answer = (response) => {
      const write = (): unknown => !response.destroyed && response.write('x'.repeat(10_000), write)
      write()
    }
    await expect(linesOf(remote({ line: 100_000 }))).rejects.toThrow(/a line that is too long/)
    answer = (response) => {
      const write = (): unknown => !response.destroyed && response.write(`${pack[0]}\n`.repeat(1000), write)
      write()
    }
    await expect(linesOf(remote({ pack: 50_000 }))).rejects.toThrow(/a pack that is too large/)
  })

  it('given a server that falls silent, then it is given up', async () => {
    answer = (response, body) => void response.write(JSON.parse(body).after === 0 ? `${pack[0]}\n` : '')
    await expect(linesOf(remote({ tries: 1 }, 50))).rejects.toThrow('work does not answer. Try again later.')
  })

  it.each([
    [401, 'unauthenticated', 'key_refused', /^work refused the key/],
    [403, 'forbidden', 'key_refused', /^The key may not do this\. work says: No/],
    [404, 'not_found', 'remote_lacks', /^work says: No/],
    [429, 'quota_exceeded', 'remote_refused', /^work says: No/],
  ])('given a refusal with %s, then it is told once, in words', async (status, code, kind, words) => {
    answer = refuse(status, code, `No, not with ${KEY}.`)
    const refused = await linesOf(remote()).catch((error: Error) => error)
    expect(refused).toMatchObject({ code: kind, message: expect.stringMatching(words) })
    expect(String(refused)).not.toContain(KEY)
    expect(sent).toHaveLength(1)
  })
})

describe('a push to another server', () => {
  const updates = [{ branch: 'main', old: 'm1', new: 'm3' }]
  const lines = async function* () {
    yield* pack
  }

  it('given a pack, then the updates and its lines are sent, and the answer is read', async () => {
    answer = (response) =>
      response.end(JSON.stringify({ updated: [{ branch: 'main', head_message_id: 'm3' }] }))
    expect(await remote().push('trip', lines(), updates)).toEqual({
      outcome: 'updated',
      updated: [{ branch: 'main', headMessageId: 'm3' }],
    })
    expect(sent[0]?.body).toBe(`${[JSON.stringify({ t: 'updates', updates }), ...pack].join('\n')}\n`)
  })

  it('given a branch that has gone on there, or one id with two contents, then the result says so', async () => {
    answer = refuse(409, 'not_fast_forward', 'main has gone on.')
    expect(await remote().push('trip', lines(), updates)).toEqual({
      outcome: 'not_fast_forward',
      reason: 'work says: main has gone on.',
    })
    answer = refuse(409, 'diverged_objects', 'Two contents.')
    expect(await remote().push('trip', lines(), updates)).toMatchObject({ outcome: 'diverged_objects' })
    answer = refuse(429, 'quota_exceeded', 'Too much.')
    await expect(remote().push('trip', lines(), updates)).rejects.toMatchObject({ code: 'remote_refused' })
  })
})
