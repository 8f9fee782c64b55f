import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ForeignRedirectError, ownHostFetch } from '@/lib/ai/own-host-fetch'
import { createModels } from '@/lib/ai/registry'
import { streamReply } from '@/lib/ai/stream-reply'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'

afterEach(closeServers)
const serve = async (listener: RequestListener) => (await serveHttp(listener)).url

test.each([301, 302, 303, 307, 308])(
  'given a provider that answers %i to another host, when a reply is asked for, then nothing arrives there and the reply fails',
  async (status) => {
    const arrived: (string | undefined)[] = []
    const elsewhere = await serve((request, response) => {
      arrived.push(request.url)
      response.end('{}')
    })
    const provider = await serve((request, response) => {
      request.resume()
      response.writeHead(status, { location: `${elsewhere}${request.url}` }).end()
    })
    const models = createModels({
      OPENAI_COMPATIBLE_BASE_URL: `${provider}/v1`,
      OPENAI_COMPATIBLE_API_KEY: 'key-for-tests',
      OPENAI_COMPATIBLE_MODELS: 'test',
      OPENAI_API_KEY: 'key-for-tests',
      OPENAI_BASE_URL: `${provider}/v1`,
    })
    for (const id of ['openai-compatible:test', 'openai:gpt-4.1']) {
      const { done } = streamReply({
        model: models.get(id),
        messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'a secret' }] }],
        replyId: 'r',
        maxRetries: 0,
      })
      expect((await done).status).toBe('failed')
    }
    expect(arrived).toEqual([])
  },
)

test('given a redirect to another port or scheme of the same name, when it is met, then it is refused by name', async () => {
  const provider = await serve((_request, response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
  })
  await expect(ownHostFetch()(provider, { method: 'POST', body: 'x' })).rejects.toThrow(ForeignRedirectError)
})

test('given a redirect within the provider, when it is met, then the same request is made there', async () => {
  const seen: string[] = []
  const provider = await serve(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`)
    if (request.url === '/old') response.writeHead(308, { location: '/new' }).end()
    else response.end('here')
  })
  const options = { method: 'POST', body: 'hello', headers: { authorization: 'Bearer k' } }
  const response = await ownHostFetch()(`${provider}/old`, options)
  expect(await response.text()).toBe('here')
  expect(seen).toEqual(['POST /old Bearer k hello', 'POST /new Bearer k hello'])
})

test('given a provider that answers a POST with 303, when its length is named, then the GET that follows has none', async () => {
  const seen: string[] = []
  const provider = await serve((request, response) => {
    request.resume()
    seen.push(`${request.method} ${request.headers['content-length']}`)
    if (request.url === '/elsewhere') response.end('{}')
    else response.writeHead(303, { location: '/elsewhere' }).end()
  })
  const headers = { 'content-length': '2', 'content-type': 'application/json' }
  const response = await ownHostFetch()(`${provider}/v1`, { method: 'POST', headers, body: '{}' })
  expect([response.status, seen]).toEqual([200, ['POST 2', 'GET undefined']])
})

test('given a provider that redirects in a circle, when it is asked, then it is given up', async () => {
  let asked = 0
  const provider = await serve((_request, response) => {
    asked += 1
    response.writeHead(302, { location: '/' }).end()
  })
  await expect(ownHostFetch()(provider)).rejects.toThrow('More than 5 redirects')
  expect(asked).toBe(6)
})
