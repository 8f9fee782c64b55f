import { afterEach, expect, it } from 'vitest'
import { LocalModels, type LocalServer } from '@/lib/ai/catalogue/local-models'
import { createModels, usesLocalModels } from '@/lib/ai/registry'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'

afterEach(closeServers)

/** A server that answers with JSON by path, and counts what it was asked. */
async function serve(answers: Record<string, unknown>) {
  const asked: string[] = []
  const { url, close } = await serveHttp(({ url = '' }, response) => {
    asked.push(url)
    const answer = answers[url]
    if (answer === 'nothing') return
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  return { asked, url, close }
}

const ollama = (url: string): LocalServer => ({ name: 'ollama', url })
const studio = (url: string): LocalServer => ({ name: 'lmstudio', url })
const listed = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id })) })
const namesIn = async (local: LocalModels) =>
  (await local.found()).flatMap(({ models }) => models.map(({ name }) => name))

it('given Ollama with two models, then the one that chats is found, and costs nothing', async () => {
  const { url } = await serve({ '/v1/models': listed('llama3.2:3b', 'nomic-embed-text:latest') })
  const found = await new LocalModels([ollama(url)]).found()
  const models = createModels({}).with({ local: found })
  expect(models.describe().map(({ id, price, window }) => ({ id, price, window }))).toEqual([
    { id: 'ollama:llama3.2:3b', price: { input: 0, output: 0, cached: 0 }, window: null },
    { id: 'demo:demo', price: { input: 0, output: 0, cached: 0 }, window: null },
  ])
  expect(models.defaultId).toBe('ollama:llama3.2:3b')
  expect(models.get('ollama:llama3.2:3b').modelId).toBe('llama3.2:3b')
})

it('given LM Studio’s own list, then window and pictures are known', async () => {
  const data = [
    { id: 'qwen-vl', type: 'vlm', max_context_length: 32_768, capabilities: ['tool_use'] },
    { id: 'nomic', type: 'embeddings', max_context_length: 2048 },
  ]
  const { url } = await serve({ '/api/v0/models': { data } })
  const [server] = await new LocalModels([studio(url)]).found()
  const known = { name: 'qwen-vl', window: 32_768, input: ['text/plain', 'image/*'], tools: true }
  expect(server?.models).toEqual([expect.objectContaining(known)])
})

it('given no server, one that answers something else, and one that never answers, then none is found within a second', async () => {
  const other = await serve({ '/v1/models': { hello: 'world' } })
  const silent = await serve({ '/v1/models': 'nothing' })
  const begun = performance.now()
  const servers = ['http://127.0.0.1:1', other.url, silent.url].map(ollama)
  const found = await new LocalModels(servers).found()
  expect(found).toEqual([])
  expect(performance.now() - begun).toBeLessThan(1000)
})

it('given an answer, then it counts for 15 s; then the last one is given while the server is asked again', async () => {
  const answers: Record<string, unknown> = { '/v1/models': listed('first') }
  const { url, asked } = await serve(answers)
  let now = 0
  const local = new LocalModels([ollama(url)], () => now)
  const names = () => namesIn(local)
  expect(await names()).toEqual(['first'])
  answers['/v1/models'] = listed('second')
  now = 14_999
  expect(await names()).toEqual(['first'])
  expect(asked).toHaveLength(1)
  now = 15_000
  expect(await names()).toEqual(['first'])
  await local.settled()
  expect(await names()).toEqual(['second'])
  expect(asked).toHaveLength(2)
})

it.each([ollama, studio])('given a silent server, then its models stay until it is gone', async (at) => {
  const answers: Record<string, unknown> = { '/v1/models': listed('first') }
  const { url, close } = await serve(answers)
  let now = 0
  const local = new LocalModels([at(url)], () => now)
  const namesNow = async () => {
    now += 15_000
    await local.found()
    await local.settled()
    return namesIn(local)
  }
  expect(await namesNow()).toEqual(['first'])
  answers['/v1/models'] = 'nothing'
  answers['/api/v0/models'] = 'nothing'
  expect(await namesNow()).toEqual(['first'])
  expect(await namesNow()).toEqual(['first'])
  await close()
  expect(await namesNow()).toEqual([])
})

it('given many questions at once, then the server is asked once', async () => {
  const { url, asked } = await serve({ '/v1/models': listed('first') })
  const local = new LocalModels([ollama(url)])
  await Promise.all(Array.from({ length: 20 }, () => local.found()))
  expect(asked).toHaveLength(1)
})

it.each([
  [{}, true],
  [{ DATABASE_URL: 'postgres://db' }, false],
  [{ DATABASE_URL: 'postgres://db', RAMIFY_LOCAL_MODELS: 'on' }, true],
  [{ RAMIFY_LOCAL_MODELS: 'off' }, false],
])('given %j, then it is %s that this machine is looked at', (env, looks) => {
  expect(usesLocalModels(env)).toBe(looks)
})

it('given a default model on this machine, then it is the default although its server is off', () => {
  const models = createModels({ RAMIFY_DEFAULT_MODEL: 'ollama:llama3.2:3b' })
  expect(models.defaultId).toBe('ollama:llama3.2:3b')
  expect(models.get('ollama:llama3.2:3b').modelId).toBe('llama3.2:3b')
})
