import { newId } from '@/lib/events'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import { inTurns } from '../alternate'
import { isBuilt } from '../fixtures/streaming/app-server'
import type { Pace } from '../fixtures/streaming/reply-script'
import { scriptOf } from '../fixtures/streaming/reply-script'
import { openStage, type Stage } from '../fixtures/streaming/stage'
import type { StreamRequest } from '../fixtures/streaming/stream-request'
import { addedTo, overFloor, type Result } from '../result'
import { atMost, median } from '../statistics'

const bench = 'gateway'
/** later than from the provider itself, in ms */
const ADDED = atMost(10)
const short: Pace = { words: 5, perSecond: Number.POSITIVE_INFINITY }
/** a model thinks far longer; the call is stored meanwhile */
const THINKS = 50
const long: Pace = { words: 100, perSecond: 20 }
const STREAMS = 100

/** What the gateway adds to a provider's answer to an agent. Runs the production build as it is used. */
export async function gateway(options: { quick: boolean }): Promise<Result[]> {
  if (!isBuilt()) {
    console.log('gateway: skipped, there is no production build. npm run build')
    return []
  }
  const server = await startPostgres({ durable: true })
  if ('skipped' in server) return []
  const stage = await openStage({ ...options, postgresUrl: server.url })
  try {
    const key = await makeKey(stage)
    const first: Result[] = []
    for (const length of [10, 1000])
      for (const thinks of [0, THINKS]) first.push(await firstWord(stage, key, { length, thinks }))
    return [...first, await manyStreams(stage, key)]
  } finally {
    await stage.close()
    await server.stop()
  }
}

/** An API key of the stage's guest. */
async function makeKey({ app }: Stage): Promise<string> {
  const response = await fetch(`${app.url}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: app.cookie, origin: app.url },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key } = (await response.json()) as { key?: string }
  if (key === undefined) throw new Error(`No key: ${response.status}`)
  return key
}

interface Message {
  role: 'user' | 'assistant'
  content: string
}

const prefixOf = (length: number): Message[] =>
  Array.from({ length }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: `${at} ${'of a long conversation '.repeat(10)}`,
  }))

/** A call that goes on from a prefix with words of its own, and asks for a reply of a pace. */
function callOf(
  url: string,
  key: string,
  { prefix, pace }: { prefix: Message[]; pace: Pace },
): StreamRequest {
  const messages: Message[] = [
    ...prefix,
    ...[
      { role: 'user' as const, content: newId() },
      { role: 'assistant' as const, content: 'Noted.' },
    ],
    { role: 'user', content: scriptOf(pace) },
  ]
  return {
    ...{ protocol: 'provider', url: `${url}/chat/completions` },
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'scripted', stream: true, messages }),
  }
}

async function firstWord(
  { app, provider, readers, quick }: Stage,
  key: string,
  { length, thinks }: { length: number; thinks: number },
): Promise<Result> {
  const pace = { ...short, thinks }
  const prefix = prefixOf(length)
  const read = async (url: string) => {
    const [reading] = await readers.ask('read', [callOf(url, key, { prefix, pace })])
    if (reading?.words !== short.words) throw new Error(`Of ${short.words} words came ${reading?.words}`)
    return reading.firstWord
  }
  const times = await inTurns(
    { direct: () => read(provider.url), through: () => read(`${app.url}/v1`) },
    quick ? { rounds: 30, warmup: 20, budget: 8_000 } : { rounds: 200, warmup: 50, budget: 60_000 },
  )
  return addedTo({
    ...{ bench, what: `first word, ${length} messages before it, the model thinks ${thinks} ms` },
    against: { name: 'the provider, called directly', value: median(times.direct) },
    ours: median(times.through),
    added: median(times.through.map((time, round) => time - (times.direct[round] ?? 0))),
    // without thought there is no time to store the call in
    ...(thinks > 0 && { target: ADDED }),
  })
}

async function manyStreams({ app, provider, readers, quick }: Stage, key: string): Promise<Result> {
  const read = async (url: string) => {
    const request = () => callOf(url, key, { prefix: [{ role: 'user', content: newId() }], pace: long })
    const readings = await readers.ask('read', Array.from({ length: STREAMS }, request))
    const cut = readings.find(({ words }) => words !== long.words)
    if (cut) throw new Error(`Of ${long.words} words came ${cut.words}`)
    return Math.max(...readings.map(({ end }) => end)) / 1000
  }
  const seconds = await inTurns(
    { direct: () => read(provider.url), through: () => read(`${app.url}/v1`) },
    { rounds: quick ? 1 : 5, warmup: 1, budget: 120_000 },
  )
  return overFloor({
    ...{ bench, what: `${STREAMS} streams at once, of ${long.words} words: the slowest`, unit: 's' },
    against: { name: 'the provider, called directly', value: median(seconds.direct) },
    ours: median(seconds.through),
    target: atMost(1.1),
  })
}
