import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { temporaryInMemory } from '@/testing/machines/memory-folder'
import { type Choice, chooseTests } from './choose-tests'
import {
  add,
  countCheck,
  nothing,
  overBudget,
  type Report,
  resultsTable,
  type StageResult,
  summary,
} from './count-results'
import { repoRoot } from './repo-root'
import { stopCommands } from './run-command'
import { budgets, hasBuild, type Machine, type Run, type Stage, stages } from './stages'

/**
 * `npm test`: every check there is, in order, each even when one before it failed, except that the browser and the faults
 * need a build. Nothing is run a second time. It ends with a table of the stages and the slowest tests; the last line is
 * the count; the exit code is 0 only when something ran and nothing failed.
 *
 * `npm test -- unit e2e` runs those stages alone, `npm test -- testing/unit/lib/graph e2e/journey.spec.ts` those test
 * files, on the build that is there. `npm run test:long` (`--long`) runs all of it, holds it to its budgets, and then runs
 * what is rare; with names of stages only their rare part.
 */
const words = process.argv.slice(2)
const isLong = words.includes('--long')
const wanted = words.filter((word) => word !== '--long')
const choice = chosen()

const reports = mkdtempSync(path.join(tmpdir(), 'ramify-reports-'))
const cleanups: (() => Promise<void> | void)[] = [
  () => rmSync(reports, { recursive: true, force: true }),
  temporaryInMemory(),
]
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [path.join(repoRoot, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
}
// Tests name their databases themselves.
for (const name of [
  ...['DATABASE_URL', 'DATABASE_URL_UNPOOLED', 'E2E_DATABASE_URL', 'TEST_PGLITE_TEMPLATE', 'NODE_ENV'],
  ...(isLong ? ['RAMIFY_TEST_LONG'] : []),
])
  delete env[name]
// The build does not check types, which are a stage of their own: a wrong one must not stop the browser tests.
env.RAMIFY_TYPES_CHECKED = '1'
// Servers are started by the dozen: each takes a quarter less with what V8 has compiled for another.
env.NODE_COMPILE_CACHE = path.join(reports, 'compiled')

let interrupted = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, async () => {
    if (interrupted) return
    interrupted = true
    await stopCommands()
    await cleanUp()
    process.exit(130)
  })
}

const start = performance.now()
const prepared: Report[] = []
const notices: string[] = []
const results: StageResult[] = []
const ofChoice = stages.filter(({ name }) => choice === 'all' || choice.has(name))
await prepare(new Set(ofChoice.flatMap(({ uses = [] }) => uses)))
if (!isLong || choice === 'all') await runStages(ofChoice, false)
const seconds = elapsed()
if (isLong) await runStages(ofChoice, true)
if (!interrupted) {
  await cleanUp()
  const budget = choice === 'all' ? budgets.all : undefined
  const exceeded = isLong ? overBudget([...results, { ...all(nothing, seconds), budget }]) : []
  const failedBudgets = exceeded.map((name): Report => ({ ...nothing, failed: 1, failures: [name] }))
  const total = [...prepared, ...results.map(({ report }) => report), ...failedBudgets].reduce(add, nothing)
  heading('summary')
  console.log(resultsTable([...results, { ...all(total, elapsed()), budget: isLong ? undefined : budget }]))
  for (const failure of total.failures) console.log(`failed: ${failure}`)
  for (const notice of notices) console.log(`\n${notice}`)
  console.log(`\n${summary(total)}`)
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
}

function chosen(): Choice | 'all' {
  try {
    const names = stages.filter(({ hasLong }) => hasLong || !isLong).map(({ name }) => name)
    return wanted.length === 0 ? 'all' : chooseTests(wanted, names)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

function elapsed(): number {
  return (performance.now() - start) / 1000
}

/** The stages as one, whose tests are named already. */
function all(report: Report, seconds: number): StageResult {
  return { name: 'all', report: { ...report, tests: [] }, seconds }
}

/** Starts what the stages use. They fail on their own without it. */
async function prepare(machines: ReadonlySet<Machine>): Promise<void> {
  if (machines.size > 0) heading('prepare')
  const start: Record<Machine, () => Promise<void>> = {
    browser: async () => {
      const { ensureBrowser } = await import('@/testing/machines/find-browser')
      env.PLAYWRIGHT_CHROMIUM_PATH = ensureBrowser()
      console.log(`browser: ${env.PLAYWRIGHT_CHROMIUM_PATH}`)
    },
    postgres: async () => {
      const { startPostgres } = await import('@/testing/machines/postgres-cluster')
      const { findPgBouncer } = await import('@/testing/machines/pgbouncer')
      const server = await startPostgres()
      if (!findPgBouncer()) notices.push('NOT TESTED BEHIND A POOLER: PgBouncer is not installed')
      if ('skipped' in server) {
        notices.push(`NOT TESTED ON POSTGRES: ${server.skipped}`)
        return
      }
      cleanups.unshift(server.stop)
      env.TEST_DATABASE_URL = server.url
      console.log(`postgres: ${new URL(server.url).host}`)
    },
    template: async () => {
      const { pgliteTemplate } = await import('@/testing/machines/templates')
      env.TEST_PGLITE_TEMPLATE = (await pgliteTemplate()).folder
    },
  }
  for (const machine of machines) {
    await start[machine]().catch((error: unknown) => {
      console.error(error)
      prepared.push({ ...countCheck(false), failures: [`the ${machine} could not be started`] })
    })
  }
}

/** Runs stages one after the other, in the short run some beside another. Their results are in `results`. */
async function runStages(of: readonly Stage[], long: boolean): Promise<void> {
  const own = of.filter(({ hasLong }) => hasLong || !long)
  const isBeside = ({ beside }: Stage) => !long && own.some(({ name }) => name === beside)
  for (const stage of own.filter((stage) => !isBeside(stage))) {
    if (interrupted) break
    const beside = own.filter((other) => isBeside(other) && other.beside === stage.name)
    heading([stage, ...beside].map((stage) => nameOf(stage, long)).join(', and beside it '))
    const logs = beside.map((stage) => path.join(reports, `${nameOf(stage, long)}.txt`))
    const ran = [runStage(stage, long), ...beside.map((other, n) => runStage(other, long, logs[n]))]
    results.push(...(await Promise.all(ran)))
    for (const log of logs.filter((log) => existsSync(log))) {
      heading(path.basename(log, '.txt'))
      process.stdout.write(readFileSync(log, 'utf8'))
    }
  }
}

async function runStage(stage: Stage, long: boolean, log?: string): Promise<StageResult> {
  const name = nameOf(stage, long)
  const files = choice === 'all' ? 'all' : choice.get(stage.name)
  const start = performance.now()
  const report = await reportOf(stage, {
    reports,
    log,
    long,
    files: files === 'all' ? undefined : files,
    env: long ? { ...env, RAMIFY_TEST_LONG: '1' } : env,
  })
  const budget = long || (files && files !== 'all') ? undefined : budgets[stage.name]
  return { name, report, seconds: (performance.now() - start) / 1000, budget }
}

async function reportOf(stage: Stage, run: Run): Promise<Report> {
  const built = results.find(({ name }) => name === 'build')
  if (!stage.needsBuild || (built ? built.report.failed === 0 : hasBuild())) {
    const report = await stage.run(run)
    // a check has no names of its own
    return report.failed > 0 && report.failures.length === 0 ? { ...report, failures: [stage.name] } : report
  }
  const why = built ? 'which failed' : 'and there is none: run `npm run build` first'
  const failure = `${stage.name} is not run: it needs a build, ${why}`
  console.log(failure)
  return { ...countCheck(false), failures: [failure] }
}

function nameOf({ name }: Stage, long: boolean): string {
  return long ? `${name}-long` : name
}

function heading(name: string): void {
  console.log(`\n━━ ${name} ${'━'.repeat(Math.max(0, 74 - name.length))}\n`)
}

async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0)) {
    try {
      await clean()
    } catch (error) {
      console.error(error)
    }
  }
}
