import { newId } from '@/lib/events'
import { watchConnections } from '../../fixtures/streaming/connections'
import { canMeasureUsage, usageOf } from '../../fixtures/streaming/process-usage'
import type { Reading } from '../../fixtures/streaming/read-reply'
import type { Stage } from '../../fixtures/streaming/stage'
import { providerRequest, type StreamRequest, turnRequest } from '../../fixtures/streaming/stream-request'
import { overFloor, type Result } from '../../result'
import { atMost, median } from '../../statistics'

const bench = 'streaming'
const REPLIES = 100
const pace = { words: 100, perSecond: 20 }
/** what the server may have open at once: its pool, and one that listens */
const CONNECTIONS = 11

/** A hundred replies at once, each in a chat of its own, all asked for in the same instant. */
export async function manyReplies(stage: Stage): Promise<Result[]> {
  const { app, provider, sql, quick } = stage
  if (!sql) return []
  // each a figure per round
  const seconds = { direct: [] as number[], slowest: [] as number[], cpu: [] as number[] }
  const ms = { lastFirstWord: [] as number[], longestPause: [] as number[] }
  const seen = await watchConnections(sql, async () => {
    for (let round = -2; round < (quick ? 1 : 5); round++) {
      const direct = await readAll(stage, () => providerRequest(provider.url, pace))
      const before = cpuSeconds(app.pid)
      const through = await readAll(stage, () => turnRequest(app, newId(), pace))
      if (round < 0) continue
      seconds.cpu.push(cpuSeconds(app.pid) - before)
      seconds.direct.push(median(direct.map(({ end }) => end)) / 1000)
      seconds.slowest.push(Math.max(...through.map(({ end }) => end)) / 1000)
      ms.lastFirstWord.push(Math.max(...through.map(({ firstWord }) => firstWord)))
      ms.longestPause.push(Math.max(...through.map(({ longestPause }) => longestPause)))
    }
  })
  const replies = `${REPLIES} replies of ${pace.words} words, ${pace.perSecond} a second`
  const rounded = (values: readonly number[]) => Math.round(median(values))
  const cpu = overFloor({
    bench,
    what: `${replies}: time of a processor`,
    against: { name: 'the time they took', value: median(seconds.slowest) },
    ours: median(seconds.cpu),
    unit: 's',
  })
  return [
    overFloor({
      bench,
      what: `${replies}: the slowest`,
      against: { name: 'the model, called directly', value: median(seconds.direct) },
      ours: median(seconds.slowest),
      unit: 's',
      target: atMost(1.1),
      note: `${REPLIES} at once: the last first word came after ${rounded(ms.lastFirstWord)} ms, the longest pause between two words was ${rounded(ms.longestPause)} ms`,
    }),
    ...(canMeasureUsage() ? [cpu] : []),
    overFloor({
      bench,
      what: 'connections open meanwhile, at most',
      against: { name: 'the pool, and one that listens', value: CONNECTIONS },
      ours: seen.most,
      unit: 'rows',
      target: atMost(1),
    }),
    overFloor({
      bench,
      what: 'connections idle in a transaction meanwhile, at most',
      against: { name: 'looks', value: seen.samples },
      ours: seen.mostIdleInTransaction,
      unit: 'rows',
      target: atMost(0),
      note: `the longest any statement was seen to run: ${seen.longestStatement.toFixed(0)} ms`,
    }),
  ]
}

/** Reads a hundred replies at once. Rejects when one is incomplete. */
async function readAll({ readers }: Stage, request: () => StreamRequest): Promise<Reading[]> {
  const readings = await readers.ask('read', Array.from({ length: REPLIES }, request))
  const short = readings.find(({ words }) => words !== pace.words)
  if (short) throw new Error(`Of ${pace.words} words came ${short.words}`)
  return readings
}

const cpuSeconds = (pid: number): number => (canMeasureUsage() ? usageOf(pid).cpuSeconds : 0)
