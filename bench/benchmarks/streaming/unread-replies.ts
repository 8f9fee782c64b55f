import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { newId } from '@/lib/events'
import { inTurns } from '../../alternate'
import { canMeasureUsage, usageOf } from '../../fixtures/streaming/process-usage'
import type { Stage } from '../../fixtures/streaming/stage'
import { turnRequest } from '../../fixtures/streaming/stream-request'
import { addedTo, type Result } from '../../result'
import { atMost, median } from '../../statistics'

const CLIENTS = 50
/** in MB, for all of them: as events on the wire, what they do not read is more */
const TARGET = atMost(16)
const MEGABYTE = 1024 * 1024

/** How the server's memory grows while clients send turns and never read what is answered. */
export async function unreadReplies({ app, readers, sql, quick }: Stage): Promise<Result[]> {
  if (!sql || !canMeasureUsage()) return []
  const pace = { words: quick ? 1_000 : 5_000, perSecond: Number.POSITIVE_INFINITY }
  const turns = () => Array.from({ length: CLIENTS }, () => turnRequest(app, newId(), pace))
  const grown = await inTurns(
    {
      read: () => growth(app.pid, () => readers.ask('read', turns())),
      ignored: async () => {
        const before = await countEnded(sql)
        const most = await growth(app.pid, async () => {
          await readers.ask('ignore', turns())
          while ((await countEnded(sql)) < before + CLIENTS) await sleep(50)
        })
        await readers.ask('hangUp', undefined)
        return most
      },
    },
    // in the first round the heap grows to what it needs anyway
    { warmup: 1, rounds: quick ? 1 : 6, budget: 180_000 },
  )
  return [
    addedTo({
      bench: 'streaming',
      what: `memory for ${CLIENTS} replies of ${pace.words} words that are never read`,
      against: { name: 'the same, read', value: median(grown.read) },
      ours: median(grown.ignored),
      unit: 'MB',
      target: TARGET,
      note: `how much the server grew meanwhile; in the end it took ${Math.round(usageOf(app.pid).rssBytes / MEGABYTE)} MB in all`,
    }),
  ]
}

/** How many replies are stored. Throws when one is not whole. */
async function countEnded(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ completed: number; failed: number }[]>`
    select count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status in ('failed', 'stopped'))::int as failed from runs`
  if (!row || row.failed > 0) throw new Error(`${row?.failed} replies failed`)
  return row.completed
}

/** How much more memory a process takes at most while some work is done than before it, in MB. */
async function growth(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = usageOf(pid).rssBytes
  let most = before
  const look = () => {
    most = Math.max(most, usageOf(pid).rssBytes)
  }
  const looking = setInterval(look, 20)
  await work().finally(() => clearInterval(looking))
  look()
  return (most - before) / MEGABYTE
}
