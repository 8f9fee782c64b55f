import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@/lib/events'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import { inTurns } from '../alternate'
import { isBuilt, signIn } from '../fixtures/streaming/app-server'
import { type OtherGateway, startPortkey } from '../fixtures/streaming/portkey'
import { type Pace, scriptOf, wordsOf } from '../fixtures/streaming/reply-script'
import { openStage, type Stage } from '../fixtures/streaming/stage'
import type { StreamRequest } from '../fixtures/streaming/stream-request'
import { addedTo, overFloor, type Result } from '../result'
import { atMost, median, percentile } from '../statistics'

const short: Pace = { words: 5, perSecond: Number.POSITIVE_INFINITY }
const long: Pace = { words: 100, perSecond: 20 }
const STREAMS = 100

/** Messages above a call, and how much later than from the provider itself its first byte may come, in ms. */
const PREFIXES = [
  [2, 4],
  [100, 4],
  [1000, 8],
] as const

/** What the gateway adds to a provider's answer to an agent. Runs the production build as it is used, on both databases. */
export async function gateway(options: { quick: boolean }): Promise<Result[]> {
  if (!isBuilt()) {
    console.log('gateway: skipped, there is no production build. npm run build')
    return []
  }
  const results: Result[] = []
  const server = await startPostgres({ durable: true })
  if ('skipped' in server) console.log(`gateway on Postgres: skipped, ${server.skipped}`)
  else {
    results.push(...(await onStage('gateway, Postgres', { ...options, postgresUrl: server.url })))
    await server.stop()
  }
  return [...results, ...(await onStage('gateway, PGlite', options))]
}

async function onStage(bench: string, options: { quick: boolean; postgresUrl?: string }): Promise<Result[]> {
  const isServed = options.postgresUrl !== undefined
  const stage = await openStage(options)
  const portkey = await startPortkey()
  if ('skipped' in portkey) console.log(`Portkey: skipped, ${portkey.skipped}`)
  const peer = 'skipped' in portkey ? undefined : portkey
  try {
    const place: Place = { bench, stage, key: await makeKey(stage), peer }
    const results: Result[] = []
    for (const [length, target] of PREFIXES)
      for (const stream of [true, false])
        results.push(...(await firstByte(place, { length, stream, target })))
    if (isServed) {
      results.push(...(await atRate(place, { perSecond: 200, calls: 'growing', target: 40 })))
      results.push(...(await atRate(place, { perSecond: 200, calls: 'branching', target: 40 })))
      results.push(await manyStreams(place))
    } else {
      results.push(...(await atRate(place, { perSecond: 50, calls: 'growing', target: 60 })))
      const beside = await pagesBeside(place, () => atRate(place, { perSecond: 100, calls: 'growing' }))
      results.push(...beside)
    }
    return results
  } finally {
    await peer?.stop()
    await stage.close()
  }
}

interface Place {
  bench: string
  stage: Stage
  key: string
  peer: OtherGateway | undefined
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

interface Call {
  messages: readonly Message[]
  stream?: boolean
}

function requestOf(
  url: string,
  headers: Record<string, string>,
  { messages, stream = true }: Call,
): StreamRequest {
  return {
    protocol: stream ? 'provider' : 'whole',
    url: `${url}/chat/completions`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'scripted', stream, messages }),
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Messages that go on from a prefix with words of their own, and ask for a reply of a pace. */
const goingOn = (prefix: readonly Message[], pace: Pace): Message[] => [
  ...prefix,
  { role: 'user', content: newId() },
  { role: 'assistant', content: 'Noted.' },
  { role: 'user', content: scriptOf(pace) },
]

/** Sequential calls, each with new words below the same prefix. */
async function firstByte(
  { bench, stage: { app, provider, readers, quick }, key, peer }: Place,
  { length, stream, target }: { length: number; stream: boolean; target: number },
): Promise<Result[]> {
  // of this peer a streamed answer fails on Node: it changes headers that cannot be changed (1.15.2)
  const other = stream ? undefined : peer
  const prefix = prefixOf(length)
  const read = async (url: string, headers: Record<string, string>) => {
    const call = { messages: goingOn(prefix, short), stream }
    const [reading] = await readers.ask('read', [requestOf(url, headers, call)])
    if (reading?.words !== short.words) throw new Error(`Of ${short.words} words came ${reading?.words}`)
    return reading.firstPart
  }
  const direct = () => read(provider.url, bearer(key))
  const times = await inTurns(
    {
      direct,
      through: () => read(`${app.url}/v1`, bearer(key)),
      peer: other ? () => read(other.url, other.headersFor(provider.url)) : async () => 0,
    },
    // a server that has just started has compiled little of what it runs: it takes 300 calls until it is as fast as it stays
    quick ? { rounds: 30, warmup: 20, budget: 8_000 } : { rounds: 200, warmup: 300, budget: 60_000 },
  )
  const addedBy = (name: 'through' | 'peer') =>
    median(times[name].map((time, round) => time - (times.direct[round] ?? 0)))
  const what = `first byte, ${length} messages before it, ${stream ? 'streamed' : 'whole'}`
  const against = { name: 'the provider, called directly', value: median(times.direct) }
  const ours = addedTo({
    bench,
    what,
    against,
    ours: median(times.through),
    added: addedBy('through'),
    target: atMost(target),
  })
  if (!other) return [ours]
  return [
    ours,
    addedTo({
      bench,
      what: `  through ${other.name}`,
      against,
      ours: median(times.peer),
      added: addedBy('peer'),
    }),
  ]
}

/** Conversations that grow at the same time. */
const AGENTS = 100

/** Calls of many agents at a steady rate: the slowest of a hundred. They are whole, as the other gateway can answer them. */
async function atRate(
  { bench, stage: { app, provider, readers, quick }, key, peer }: Place,
  { perSecond, calls, target }: { perSecond: number; calls: 'growing' | 'branching'; target?: number },
): Promise<Result[]> {
  const count = perSecond * (quick ? 4 : 15)
  const root = [{ role: 'user' as const, content: newId() }]
  const conversations = Array.from({ length: AGENTS }, (): Message[] => [])
  const next = (at: number): Message[] => {
    const asked: Message[] = [{ role: 'user', content: scriptOf(short) }]
    if (calls === 'branching') return [...root, { role: 'assistant', content: newId() }, ...asked]
    const said = conversations[at % AGENTS] ?? []
    if (said.length === 0)
      said.push({ role: 'user', content: newId() }, { role: 'assistant', content: 'Noted.' })
    said.push(...asked)
    const messages = [...said]
    said.push({ role: 'assistant', content: wordsOf(short.words).join('') })
    return messages
  }
  const messages = Array.from({ length: count }, (_, at) => next(at))
  const ask = async (url: string, headers: Record<string, string> = bearer(key)) => {
    const requests = messages.map((each) => requestOf(url, headers, { messages: each, stream: false }))
    const readings = await readers.ask('pace', { requests, perSecond })
    const answered = readings.flatMap((reading) => (typeof reading === 'string' ? [] : [reading.firstPart]))
    const [refusal] = readings.filter((reading) => typeof reading === 'string')
    return { p99: percentile(answered, 0.99), refused: readings.length - answered.length, refusal }
  }
  const direct = await ask(provider.url)
  const through = await ask(`${app.url}/v1`)
  const other = peer && (await ask(peer.url, peer.headersFor(provider.url)))
  const shape = calls === 'growing' ? 'of conversations that grow' : 'that branch from one message'
  const against = { name: 'the provider, called directly', value: direct.p99 }
  const ours = addedTo({
    bench,
    what: `first byte, ${perSecond} calls a second ${shape}: 99 of 100`,
    against,
    ours: through.p99,
    ...(target !== undefined && { target: atMost(target) }),
    ...(through.refused > 0 && {
      note: `${perSecond} a second: ${through.refused} of ${count} refused: ${through.refusal}`,
    }),
  })
  if (!peer || !other) return [ours]
  return [ours, addedTo({ bench, what: `  through ${peer.name}`, against, ours: other.p99 })]
}

/** Milliseconds between two looks at a page. */
const LOOKS = 100
/** A page may take so long while another person's agents ask for more than there is, in ms. */
const PAGE = 1000

/** The list of chats of another person, again and again while agents call. */
async function pagesBeside(
  { bench, stage: { app } }: Place,
  calling: () => Promise<Result[]>,
): Promise<Result[]> {
  const cookie = await signIn(app.url)
  const look = async () => {
    const begun = performance.now()
    const response = await fetch(`${app.url}/api/chats`, { headers: { cookie } })
    await response.text()
    if (!response.ok) throw new Error(`The list of chats was refused: ${response.status}`)
    return performance.now() - begun
  }
  const alone = await look()
  const times: number[] = []
  const calls = calling()
  let isOver = false
  const over = calls.finally(() => {
    isOver = true
  })
  while (!isOver) {
    times.push(await look())
    await Promise.race([sleep(LOOKS), over])
  }
  const page = addedTo({
    bench,
    what: '  the list of chats of another person meanwhile: 99 of 100',
    against: { name: 'the list before', value: alone },
    ours: percentile(times, 0.99),
    target: atMost(PAGE),
  })
  return [...(await calls), page]
}

async function manyStreams({ bench, stage: { app, provider, readers, quick }, key }: Place): Promise<Result> {
  const read = async (url: string) => {
    const request = () => {
      const messages = goingOn([{ role: 'user', content: newId() }], long)
      return requestOf(url, bearer(key), { messages })
    }
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
    bench,
    what: `${STREAMS} streams at once, of ${long.words} words: the slowest`,
    unit: 's',
    against: { name: 'the provider, called directly', value: median(seconds.direct) },
    ours: median(seconds.through),
    target: atMost(1.1),
  })
}
