import { parseArgs } from 'node:util'
import { agents } from './benchmarks/agents'
import { ancestor } from './benchmarks/ancestor'
import { bytes } from './benchmarks/bytes'
import { clients } from './benchmarks/clients'
import { fresh } from './benchmarks/fresh'
import { gateway } from './benchmarks/gateway'
import { growth } from './benchmarks/growth'
import { importing } from './benchmarks/import'
import { lastFifty } from './benchmarks/last-fifty'
import { log } from './benchmarks/log'
import { memory } from './benchmarks/memory'
import { merge } from './benchmarks/merge'
import { peers } from './benchmarks/peers'
import { resolve } from './benchmarks/resolve'
import { rewind } from './benchmarks/rewind'
import { save } from './benchmarks/save'
import { skeleton } from './benchmarks/skeleton'
import { streaming } from './benchmarks/streaming'
import { turns } from './benchmarks/turns'
import { undo } from './benchmarks/undo'
import { wire } from './benchmarks/wire'
import { type Environment, openEmbedded, openServed } from './environment'
import { isPeerInstalled } from './peer'
import { toTable, writeResults } from './report'
import type { Result } from './result'

const usage = `npm run bench -- [--quick] [--only name,name] [--peers] [--chats number [--parts number]]

  --quick   small sizes, about a minute: does it run, are the ratios sane
  --only    some of: ${['resolve', 'last-50', 'save', 'turns', 'fresh', 'rewind', 'undo', 'merge', 'bytes', 'ancestor', 'skeleton', 'agents', 'memory', 'log', 'clients', 'import', 'peers', 'pglite', 'streaming', 'gateway', 'wire', 'growth'].join(', ')}
  --peers   also @deepagents/context; needs \`npm ci --prefix bench/peers --ignore-scripts\` once
  --chats   only growth: a database of so many chats against one of a thousand; --parts partitions the larger`

type Benchmark = (env: Environment) => Promise<Result[]>

const served: Record<string, Benchmark> = {
  resolve,
  'last-50': lastFifty,
  save,
  turns,
  fresh,
  rewind,
  undo,
  merge,
  bytes,
  ancestor,
  skeleton,
  agents,
  memory,
  log,
  clients,
  import: importing,
  peers,
}
const embedded: Record<string, Benchmark> = { resolve, 'last-50': lastFifty, save, turns, fresh, rewind }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
    chats: { type: 'string' },
    parts: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
/** those that open their own environment */
const apart = ['pglite', 'streaming', 'gateway', 'wire', 'growth']
const chosen = values.chats ? ['growth'] : values.only?.split(',')
const unknown = chosen?.filter((name) => !(name in served) && !apart.includes(name)) ?? []
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown: ${unknown.join(', ')}\n`)
  console.log(usage)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const wants = (name: string) =>
  (chosen ? chosen.includes(name) : true) &&
  (name !== 'peers' || hasPeer(values.peers || chosen !== undefined))

function hasPeer(asked: boolean): boolean {
  if (!asked) return false
  if (isPeerInstalled()) return true
  console.log('peers: skipped, not installed. npm ci --prefix bench/peers --ignore-scripts')
  return false
}

const results: Result[] = []
const names = Object.keys(served).filter(wants)
if (names.length > 0) {
  const env = await openServed(values)
  if ('skipped' in env) console.log(`Postgres: skipped, ${env.skipped}`)
  else await runAll(env, names, served)
}
if (wants('pglite')) await runAll(await openEmbedded(values), Object.keys(embedded), embedded, 'pglite ')
if (wants('streaming')) results.push(...(await streaming(values)))
if (wants('gateway')) results.push(...(await gateway(values)))
// it fills gigabytes: only when it is asked for
if (chosen && wants('growth')) {
  const chats = Number(values.chats ?? (values.quick ? 5_000 : 100_000))
  results.push(...(await growth({ chats, parts: Number(values.parts ?? 0), quick: values.quick })))
}
if (wants('wire')) results.push(...(await wire(values)))

console.log(`\n${toTable(results)}\n\n${writeResults(results, values)}`)

async function runAll(
  env: Environment,
  names: readonly string[],
  benchmarks: Record<string, Benchmark>,
  prefix = '',
): Promise<void> {
  try {
    for (const name of names) {
      const start = performance.now()
      const found = (await benchmarks[name]?.(env)) ?? []
      results.push(...found.map((result) => ({ ...result, bench: `${prefix}${result.bench}` })))
      console.log(`${prefix}${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
    }
  } finally {
    await env.close()
  }
}
