import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inspect, parseArgs } from 'node:util'
import { abuses, idleAbuses } from '@/testing/abuse/abuse'
import { findPostgres } from '@/testing/machines/find-postgres'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import { repoRoot } from '@/testing/runner/repo-root'
import { dice } from '@/testing/worlds/dice'
import { Arena } from './arena'
import { check } from './check'
import { cutConnection } from './cut-connection'
import type { DatabaseKind, Fault, FaultGroup, Tally } from './fault'
import { freezeServer } from './freeze-server'
import { killBisect } from './kill-bisect'
import { killFanOut } from './kill-fan-out'
import { killGateway } from './kill-gateway'
import { killImport } from './kill-import'
import { killReplay } from './kill-replay'
import { killRestore } from './kill-restore'
import { killServer } from './kill-server'
import { killWorker } from './kill-worker'
import { clientLeaves, providerDies } from './lost-peers'
import { raceGateway } from './race-gateway'
import { loseDatabase, restartDatabase } from './restart-database'

/**
 * `npm run test:faults [-- --rounds 25 --only kill --seed 1]`: disturbs real processes of a production build and counts
 * the messages and replies that were lost or doubled. Exit code 1 when there is one. Every fault runs on both databases;
 * with `--short`, as in `npm test`, once on one of them.
 */
const { values } = parseArgs({
  options: {
    /** how often each fault is done */
    rounds: { type: 'string', default: '25' },
    /** one round of each, on one database; answers may take longer, since other tests share the machine */
    short: { type: 'boolean', default: false },
    /** only faults with this in their name or database */
    only: { type: 'string', default: '' },
    /** no faults with this in their name or database */
    except: { type: 'string' },
    /** decides every random moment */
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** writes how each fault came out, as JSON */
    report: { type: 'string' },
  },
})

/** How many problems of a fault are printed. */
const SHOWN = 10

type Outcome = { fault: string; on: DatabaseKind; tally: Tally; seconds: number }

const seed = Number(values.seed)
const rounds = values.short ? 1 : Number(values.rounds)
/** How many times longer than meant an answer may take. */
const patience = values.short ? 10 : 1

if (!(Number.isInteger(rounds) && rounds > 0 && Number.isInteger(seed))) {
  console.error('--rounds and --seed must be whole numbers, and there must be a round.')
  process.exit(1)
}
if (!existsSync(path.join(repoRoot, '.next/BUILD_ID'))) {
  console.error(
    'The fault suite kills a production server, and there is no build of one: run `npm run build` first.',
  )
  process.exit(1)
}
// processes end with this one; folders are removed at its orderly end
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
// A server of its own where one is installed: all that follow a log wait for the oldest transaction on their server,
// and what is killed and frozen here leaves transactions open.
const postgres = await startPostgres({ own: findPostgres() !== null })
const restart = 'url' in postgres ? postgres.restart : undefined
try {
  const groups: FaultGroup[] = [
    { short: 'pglite', faults: [killServer, killReplay, killImport, killGateway] },
    { short: 'pglite', faults: [killFanOut] },
    { short: 'postgres', faults: [killRestore] },
    { short: 'postgres', faults: [killWorker] },
    { short: 'postgres', faults: [raceGateway] },
    {
      short: 'postgres',
      // those of one server first: a second one would take over what it leaves
      faults: [
        killBisect,
        ...(restart ? [restartDatabase(restart), loseDatabase(restart)] : []),
        ...[providerDies, clientLeaves, freezeServer, cutConnection],
      ],
    },
  ]
  console.log(`faults: ${rounds} ${rounds === 1 ? 'round' : 'rounds'} each, seed ${seed}\n`)
  const kinds = ['pglite', 'postgres'] as const
  if (groups.some(({ faults }) => faults.some(({ name }) => isWanted(name)))) await warmUp()
  // each database has a lane of its own; within it nothing disturbs the fault
  const outcomes = (await Promise.all(kinds.map((kind) => lane(kind, groups)))).flat()
  if (values.short) {
    // most of the idle connections is waiting
    const lanes = [...kinds.map((kind) => lane(kind, abuses)), ...kinds.map((kind) => lane(kind, idleAbuses))]
    outcomes.push(...(await Promise.all(lanes)).flat())
  } else {
    // an abuse is judged by how long answers take beside it: the machine is its alone
    for (const kind of kinds) outcomes.push(...(await lane(kind, [...abuses, ...idleAbuses])))
  }
  console.table(
    outcomes.map(({ fault, on, tally: { trials, losses, doubles } }) => ({
      fault,
      database: on,
      trials,
      losses: losses.length,
      doubles: doubles.length,
    })),
  )
  const killed = outcomes.filter(({ fault }) => fault.startsWith('kill -9'))
  const kills = killed.reduce((sum, { tally }) => sum + tally.trials, 0)
  if (kills > 0) console.log(`\nkill -9, ${kills} times`)
  if (values.report) writeFileSync(values.report, JSON.stringify(outcomes.map(reported)))
  process.exitCode = outcomes.length > 0 && outcomes.every(({ tally }) => isClean(tally)) ? 0 : 1
} finally {
  if ('url' in postgres) await postgres.stop()
}

/** Starts a server and stops it in order, so that it keeps its compiled code: every other start takes a quarter less. */
async function warmUp(): Promise<void> {
  const arena = await Arena.open()
  try {
    await (await arena.server()).kill('SIGTERM')
  } finally {
    await arena.close()
  }
}

/** Tries the groups that run on a database, one after the other. */
async function lane(kind: DatabaseKind, groups: readonly FaultGroup[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  if (kind === 'postgres' && 'skipped' in postgres) return outcomes
  for (const { short, faults } of groups) {
    if (values.short && kind !== ('url' in postgres ? short : 'pglite')) continue
    const wanted = faults.filter(({ name, on }) => on.includes(kind) && isWanted(`${name} on ${kind}`))
    const [first] = wanted
    if (!first) continue
    const arena = await Arena.open(kind === 'postgres' && 'url' in postgres ? postgres.url : undefined)
    try {
      for (const fault of wanted) outcomes.push(await attempt(fault, arena, fault === wanted.at(-1)))
    } finally {
      await arena.close()
    }
  }
  return outcomes
}

/** A fault that throws counts as a loss. After the last fault of an arena its database is checked. */
async function attempt(fault: Fault, arena: Arena, last: boolean): Promise<Outcome> {
  const tally: Tally = { trials: 0, of: 'trials', losses: [], doubles: [] }
  const start = performance.now()
  try {
    await fault.run(arena, tally, { rounds, dice: dice(seed), patience })
    if (last) await check(arena, tally, fault.repliesEach)
  } catch (error) {
    // with the cause: "fetch failed" alone says nothing
    tally.losses.push(`${inspect(error)}\n${arena.output}`)
  }
  const seconds = (performance.now() - start) / 1000
  const result = isClean(tally) ? 'ok  ' : 'LOST'
  console.log(
    `${result} ${fault.name} on ${arena.kind}: ${tally.trials} ${tally.of}, ${seconds.toFixed(0)} s`,
  )
  const problems = [...tally.losses, ...tally.doubles]
  for (const problem of problems.slice(0, SHOWN)) console.error(`     ${problem}`)
  if (problems.length > SHOWN) console.error(`     and ${problems.length - SHOWN} more`)
  return { fault: fault.name, on: arena.kind, tally, seconds }
}

function isClean({ trials, losses, doubles }: Tally): boolean {
  return trials > 0 && losses.length === 0 && doubles.length === 0
}

function isWanted(name: string): boolean {
  return name.includes(values.only) && !(values.except && name.includes(values.except))
}

function reported({ fault, on, tally, seconds }: Outcome) {
  return {
    fault: `${fault} on ${on}`,
    ok: isClean(tally),
    problems: [...tally.losses, ...tally.doubles],
    seconds,
  }
}
