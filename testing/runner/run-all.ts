import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase } from '@/testing/machines/create-database'
import { ensureBrowser } from '@/testing/machines/find-browser'
import { temporaryInMemory } from '@/testing/machines/memory-folder'
import { findPgBouncer } from '@/testing/machines/pgbouncer'
import { startPostgres } from '@/testing/machines/postgres-cluster'
import { pgliteTemplate } from '@/testing/machines/templates'
import {
  add,
  type Counts,
  countCheck,
  countReport,
  failuresIn,
  faultFailures,
  faultsAgain,
  flakyPlaces,
  nothing,
  playwrightFailures,
  readFaultsReport,
  readPlaywrightReport,
  readVitestReport,
  summary,
  vitestAgain,
  vitestFailures,
} from './count-results'
import { repoRoot } from './repo-root'
import { runCommand, stopCommands } from './run-command'

/**
 * `npm test`: every check there is, in order, each even when one before it failed, except that the browser
 * needs a build. The last line is the count; the exit code is 0 only when something ran and nothing failed.
 * `npm test -- unit e2e` runs those stages alone, on the build that is there; `int` has the faults beside it.
 */

interface Stage {
  name: string
  /** @param log a file for its output, which goes straight through without one */
  run: (log?: string) => Promise<Counts>
  needs?: string
  /** runs while this one does, as both mostly wait: its output comes after */
  beside?: Stage
}

/** How often a test that failed once has to pass by itself. */
const AGAIN = 5
const reports = mkdtempSync(path.join(tmpdir(), 'ramify-reports-'))
/** Numbers the reports of the fault suite. */
let faultRuns = 0
/** What the summary repeats of the long output above it. */
const failures: string[] = []
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
  'DATABASE_URL',
  'DATABASE_URL_UNPOOLED',
  'E2E_DATABASE_URL',
  'TEST_PGLITE_TEMPLATE',
  'NODE_ENV',
])
  delete env[name]
// The build does not check types, which are a stage of their own: a wrong one must not stop the browser tests.
env.RAMIFY_TYPES_CHECKED = '1'

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

const all: Stage[] = [
  { name: 'typecheck', run: check('npm', 'run', '--silent', 'typecheck') },
  { name: 'lint', run: check('npm', 'run', '--silent', 'lint') },
  { name: 'unused', run: check('npm', 'run', '--silent', 'unused') },
  { name: 'unit', run: vitest('unit') },
  { name: 'build', run: check('npm', 'run', '--silent', 'build') },
  { name: 'int', run: vitest('int'), beside: { name: 'faults', run: faults, needs: 'build' } },
  // an abuse is judged by how long answers take beside it: the machine is its alone
  { name: 'abuse', run: abuse, needs: 'build' },
  { name: 'e2e', run: e2e, needs: 'build' },
]
const wanted = process.argv.slice(2)
const stages = wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name))
const prepared = await prepare()
const ran = await runStages(stages)
if (!interrupted) {
  await cleanUp()
  if (prepared.skippedPostgres) console.log(`\nNOT TESTED ON POSTGRES: ${prepared.skippedPostgres}`)
  if (!findPgBouncer()) console.log('\nNOT TESTED BEHIND A POOLER: PgBouncer is not installed')
  const total = add(prepared.counts, ran)
  console.log(`\n${summary(total)}`)
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
}

/** Finds a browser, starts Postgres and makes an embedded database, for the later stages, which fail on their own without them. */
async function prepare(): Promise<{ counts: Counts; skippedPostgres: string | null }> {
  heading('prepare')
  let counts = nothing
  let skippedPostgres: string | null = null
  try {
    const browser = ensureBrowser()
    env.PLAYWRIGHT_CHROMIUM_PATH = browser
    console.log(`browser: ${browser}`)
  } catch (error) {
    console.error(error)
    counts = add(counts, countCheck(false))
  }
  try {
    const server = await startPostgres()
    if ('skipped' in server) skippedPostgres = server.skipped
    else {
      cleanups.unshift(server.stop)
      const database = await createDatabase(server.url)
      cleanups.unshift(database.drop)
      env.TEST_DATABASE_URL = server.url
      env.E2E_DATABASE_URL = database.url
      console.log(`postgres: ${new URL(server.url).host}`)
    }
  } catch (error) {
    console.error(error)
    counts = add(counts, countCheck(false))
  }
  try {
    env.TEST_PGLITE_TEMPLATE = (await pgliteTemplate()).folder
  } catch (error) {
    console.error(error)
    counts = add(counts, countCheck(false))
  }
  return { counts, skippedPostgres }
}

async function runStages(stages: Stage[]): Promise<Counts> {
  const results = new Map<string, { counts: Counts; seconds: number }>()
  const runStage = async ({ name, run, needs }: Stage, log?: string): Promise<void> => {
    if (needs && results.get(needs)?.counts.failed) {
      console.log(`${name} is not run: it needs the ${needs}, which failed`)
      results.set(name, { counts: countCheck(false), seconds: 0 })
      return
    }
    const start = performance.now()
    const counts = await run(log)
    results.set(name, { counts, seconds: (performance.now() - start) / 1000 })
  }
  for (const stage of stages) {
    if (interrupted) break
    const { beside } = stage
    heading(beside ? `${stage.name}, and ${beside.name} beside it` : stage.name)
    const log = path.join(reports, `${beside?.name}.txt`)
    await Promise.all([runStage(stage), beside && runStage(beside, log)])
    if (!beside || !existsSync(log)) continue
    heading(beside.name)
    process.stdout.write(readFileSync(log, 'utf8'))
  }
  if (!interrupted) {
    heading('summary')
    for (const [name, { counts, seconds }] of results)
      console.log(`${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s   ${summary(counts)}`)
    for (const failure of failures) console.log(`failed: ${failure}`)
  }
  return [...results.values()].reduce((sum, { counts }) => add(sum, counts), nothing)
}

function heading(name: string): void {
  console.log(`\n━━ ${name} ${'━'.repeat(Math.max(0, 74 - name.length))}\n`)
}

function check(...command: [string, ...string[]]): Stage['run'] {
  return async (log) => countCheck(await runCommand(command, env, log))
}

function vitest(project: string): Stage['run'] {
  const file = path.join(reports, `${project}.json`)
  return async (log) => {
    const run = async (file: string, ...more: string[]) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      const command = ['vitest', 'run', `--project=${project}*`, ...reporters, ...more] as const
      return countReport(readVitestReport, file, await runCommand([...command], env, log))
    }
    const counts = await run(file)
    const alone = failuresIn((json) => vitestAgain(json, isRandom), file)
    return judgedAgain(counts, failuresIn(vitestFailures, file), alone.length > 0, async () => {
      for (let time = 1; time <= AGAIN; time++) {
        const { passed, failed } = await run(path.join(reports, `${project}-${time}.json`), ...alone)
        if (failed > 0 || passed !== counts.failed) return false
      }
      return true
    })
  }
}

async function e2e(log?: string): Promise<Counts> {
  const file = path.join(reports, 'e2e.json')
  const playwright = (report: string, ...more: string[]) =>
    runCommand(['playwright', 'test', ...more], { ...env, E2E_REPORT: report }, log)
  const counts = countReport(readPlaywrightReport, file, await playwright(file))
  const flaky = failuresIn(flakyPlaces, file)
  return judgedAgain(counts, failuresIn(playwrightFailures, file), flaky.length > 0, () =>
    playwright(path.join(reports, 'again.json'), '--retries=0', `--repeat-each=${AGAIN}`, ...flaky),
  )
}

/**
 * Tests that failed once have to pass by themselves as often as `AGAIN` says, or they have failed. Those that do are named.
 *
 * @param mayPass whether they are tests that may be asked again
 */
async function judgedAgain(
  counts: Counts,
  failed: string[],
  mayPass: boolean,
  again: () => Promise<boolean>,
): Promise<Counts> {
  if (mayPass && !interrupted && (await again())) {
    for (const test of failed) console.log(`failed once, then passed ${AGAIN} times by itself: ${test}`)
    return { ...counts, passed: counts.passed + counts.failed, failed: 0 }
  }
  failures.push(...failed)
  return counts
}

/** Whether the steps of its tests are drawn anew in every run. */
function isRandom(file: string): boolean {
  return file.includes('-properties.') || /fast-check|SEED\b/.test(readFileSync(file, 'utf8'))
}

/** The short version of the faults but the abuses: the long one takes half an hour (`npm run test:faults`). */
async function faults(log?: string): Promise<Counts> {
  const { counts, file } = await runFaults(['--except', 'abuse'], log)
  failures.push(...failuresIn(faultFailures, file))
  return counts
}

/** The abuses. How long answers take beside one is also the machine's doing, so one that failed is asked again; a loss at a kill is not. */
async function abuse(log?: string): Promise<Counts> {
  const { counts, file } = await runFaults(['--only', 'abuse'], log)
  const alone = failuresIn(faultsAgain, file)
  return judgedAgain(counts, failuresIn(faultFailures, file), alone.length > 0, async () => {
    for (let time = 1; time <= AGAIN; time++) {
      for (const name of alone) {
        const { passed, failed } = (await runFaults(['--only', name], log)).counts
        if (passed === 0 || failed > 0) return false
      }
    }
    return true
  })
}

async function runFaults(which: string[], log?: string): Promise<{ counts: Counts; file: string }> {
  const file = path.join(reports, `faults-${++faultRuns}.json`)
  const command = ['tsx', 'testing/faults/main.ts', '--rounds', '2', ...which, '--report', file] as const
  const succeeded = await runCommand([...command], env, log)
  return { counts: countReport(readFaultsReport, file, succeeded), file }
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
