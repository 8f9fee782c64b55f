import { existsSync } from 'node:fs'
import path from 'node:path'
import { createDatabase } from '@/testing/machines/create-database'
import {
  add,
  countCheck,
  type Report,
  readFaults,
  readPlaywright,
  readReport,
  readVitest,
} from './count-results'
import { repoRoot } from './repo-root'
import { runCommand } from './run-command'

/** What a stage is given. */
export interface Run {
  env: NodeJS.ProcessEnv
  /** a folder for its reports */
  reports: string
  /** only these test files */
  files?: readonly string[] | undefined
  /** a file for its output, which goes straight through without one */
  log?: string | undefined
  /** what is rare, too: both databases everywhere, many rounds */
  long: boolean
}

/** What has to be there before a stage begins. */
export type Machine = 'browser' | 'postgres' | 'template'

export interface Stage {
  name: string
  /** the stage that it runs beside in a short run, since both mostly wait: its output comes after */
  beside?: string
  needsBuild?: boolean
  uses?: readonly Machine[]
  /** whether it has a rare part, which `npm run test:long` runs */
  hasLong?: boolean
  run(run: Run): Promise<Report>
}

/**
 * Seconds that a stage of `npm test` may take on a slow machine with two cores. `npm test` shows them, `npm run test:long`
 * fails when one is exceeded. The faults run beside `int`, and so `all` is less than the sum.
 */
export const budgets: Readonly<Record<string, number>> = {
  typecheck: 60,
  lint: 20,
  unused: 30,
  unit: 60,
  component: 240,
  build: 120,
  int: 210,
  faults: 90,
  abuse: 60,
  e2e: 240,
  all: 900,
}

/** Rounds of each fault of the long run: 15 lanes of `kill -9`, and so a thousand kills and more. */
const LONG_FAULTS = 60
const LONG_ABUSES = 25

const browsers: readonly Machine[] = ['browser', 'postgres', 'template']
const databases: readonly Machine[] = ['postgres', 'template']

/** Every check there is, in order. */
export const stages: readonly Stage[] = [
  { name: 'typecheck', run: check('typecheck') },
  { name: 'lint', run: check('lint') },
  { name: 'unused', run: check('unused') },
  { name: 'unit', hasLong: true, run: vitest('unit') },
  { name: 'component', uses: ['browser', 'template'], run: vitest('component') },
  { name: 'build', run: check('build') },
  { name: 'int', hasLong: true, uses: databases, run: int },
  {
    name: 'faults',
    beside: 'int',
    hasLong: true,
    needsBuild: true,
    uses: ['template'],
    run: faults(LONG_FAULTS, '--except', 'abuse'),
  },
  {
    name: 'abuse',
    hasLong: true,
    needsBuild: true,
    uses: ['template'],
    run: faults(LONG_ABUSES, '--only', 'abuse'),
  },
  { name: 'e2e', hasLong: true, needsBuild: true, uses: browsers, run: e2e },
]

export const hasBuild = (): boolean => existsSync(path.join(repoRoot, '.next/BUILD_ID'))

function check(script: string): Stage['run'] {
  return async ({ env, log }) => countCheck(await runCommand(['npm', 'run', '--silent', script], env, log))
}

function vitest(project: string): Stage['run'] {
  return async ({ env, reports, files = [], log }) => {
    const file = path.join(reports, `${project}.json`)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const command = ['vitest', 'run', `--project=${project}*`, ...reporters, ...files] as const
    return readReport(readVitest, file, await runCommand([...command], env, log))
  }
}

/** The long run has what is below the store a second time, on tables in parts. */
async function int(run: Run): Promise<Report> {
  const report = await vitest('int')(run)
  if (!run.long || run.files) return report
  const { RAMIFY_TEST_LONG: _long, ...env } = run.env
  const inParts = { ...run, env: { ...env, RAMIFY_TEST_PARTS: '4' }, files: ['lib/store/', 'lib/db/'] }
  return add(report, await vitest('int')(inParts))
}

async function e2e({ env, reports, files = [], log }: Run): Promise<Report> {
  const file = path.join(reports, 'e2e.json')
  const database = env.TEST_DATABASE_URL ? await createDatabase(env.TEST_DATABASE_URL) : undefined
  try {
    const own = { ...env, E2E_REPORT: file, ...(database && { E2E_DATABASE_URL: database.url }) }
    // it takes regular expressions
    const only = files.map((path) => `^${path.replaceAll(/[^\w/-]/g, '\\$&')}$`)
    return readReport(readPlaywright, file, await runCommand(['playwright', 'test', ...only], own, log))
  } finally {
    await database?.drop()
  }
}

/** One round of each on one database; the long run has many on both. */
function faults(rounds: number, ...which: [string, string]): Stage['run'] {
  return async ({ env, reports, log, long }) => {
    const file = path.join(reports, `${which.join('')}.json`)
    const much = long ? ['--rounds', String(rounds)] : ['--short']
    const command = ['tsx', 'testing/faults/main.ts', ...much, ...which, '--report', file] as const
    return readReport(readFaults, file, await runCommand([...command], env, log))
  }
}
