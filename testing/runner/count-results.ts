import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { repoRoot } from './repo-root'

/** A test with the time it took. */
interface Timed {
  name: string
  seconds: number
}

/** What a stage has found. */
export interface Report {
  passed: number
  failed: number
  skipped: number
  /** what has failed, and why, each in a line: a log that is cut above its summary still tells it */
  failures: string[]
  tests: Timed[]
}

export const nothing: Report = { passed: 0, failed: 0, skipped: 0, failures: [], tests: [] }

export function add(a: Report, b: Report): Report {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
    tests: [...a.tests, ...b.tests],
  }
}

/** A stage without tests of its own is one check. */
export function countCheck(succeeded: boolean): Report {
  return succeeded ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 }
}

/**
 * Reads a reporter's file. A run that failed without a failed test (a crash, no report, no tests at all,
 * an unhandled rejection) counts as one failure, so that no exit code is lost.
 */
export function readReport(read: (json: unknown) => Report, file: string, succeeded: boolean): Report {
  let report = nothing
  try {
    report = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return countCheck(false)
  }
  const ran = report.passed + report.failed > 0
  return (succeeded && ran) || report.failed > 0 ? report : add(report, countCheck(false))
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
})

/** A failure in one line: what has failed, the first words of its error, and where in the tests it stood. */
function inOneLine(name: string, error = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
  const [said = '', ...lines] = error.replace(/\u001b\[[\d;]*m/g, '').split('\n')
  const place = lines.map((line) => /[\w./-]+\.(?:test|spec)\.tsx?:\d+/.exec(line)?.[0]).find(Boolean)
  const why = [said.slice(0, 300), place?.split('/').at(-1)].filter(Boolean).join(' at ')
  return why ? `${name}: ${why}` : name
}

/** Vitest's JSON reporter. A file that could not even be loaded has no tests: it counts as one failure. */
export function readVitest(json: unknown): Report {
  const { testResults, ...counts } = vitestReport.parse(json)
  const files = testResults.map((file) => ({ ...file, name: path.relative(repoRoot, file.name) }))
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const tests = files.flatMap((file) =>
    file.assertionResults.map(({ fullName, status, duration, failureMessages: [error] }) => ({
      name: `${file.name} › ${fullName}`,
      status,
      error,
      seconds: (duration ?? 0) / 1000,
    })),
  )
  return {
    passed: counts.numPassedTests,
    failed: counts.numFailedTests + broken.length,
    skipped: counts.numPendingTests + counts.numTodoTests,
    failures: [
      ...tests.filter(({ status }) => status === 'failed').map(({ name, error }) => inOneLine(name, error)),
      ...broken.map(({ name }) => `${name} was not loaded`),
    ],
    tests: tests.map(({ name, seconds }) => ({ name, seconds })),
  }
}

interface Suite {
  suites?: Suite[] | undefined
  specs: {
    title: string
    file: string
    tests: {
      projectName: string
      status: string
      results: { duration: number; error?: { message?: string | undefined } | undefined }[]
    }[]
  }[]
}

const suite: z.ZodType<Suite> = z.object({
  get suites() {
    return z.array(suite).optional()
  },
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(
        z.object({
          projectName: z.string(),
          status: z.string(),
          results: z.array(
            z.object({
              duration: z.number(),
              error: z.object({ message: z.string().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
})

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(suite),
})

/** Playwright's JSON reporter. A flaky test is a failed one. */
export function readPlaywright(json: unknown): Report {
  const { stats, suites } = playwrightReport.parse(json)
  const specsOf = (suite: Suite): Suite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]
  const tests = suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      name: `[${projectName}] ${file} › ${title}`,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      failed: status === 'unexpected' || status === 'flaky',
      error: results.find(({ error }) => error)?.error?.message,
    })),
  )
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: tests.filter(({ failed }) => failed).map(({ name, error }) => inOneLine(name, error)),
    tests: tests.map(({ name, seconds }) => ({ name, seconds })),
  }
}

const faultsReport = z.array(
  z.object({ fault: z.string(), ok: z.boolean(), problems: z.array(z.string()), seconds: z.number() }),
)

/** The report of `npm run test:faults`: one entry for each fault on each database. Names the first problem of each. */
export function readFaults(json: unknown): Report {
  const outcomes = faultsReport.parse(json)
  const failed = outcomes.filter(({ ok }) => !ok)
  return {
    passed: outcomes.length - failed.length,
    failed: failed.length,
    skipped: 0,
    failures: failed.map(({ fault, problems: [first = 'was not tried'] }) => inOneLine(fault, first)),
    tests: outcomes.map(({ fault, seconds }) => ({ name: fault, seconds })),
  }
}

/** A stage that has run. */
export interface StageResult {
  name: string
  report: Report
  seconds: number
  /** at most, in seconds; undefined for a stage that has none */
  budget?: number | undefined
}

/** The stages with their tests and times, one a line; then the ten slowest tests of all of them. */
export function resultsTable(stages: readonly StageResult[]): string {
  const rows = stages.map(({ name, report: { passed, failed, skipped }, seconds, budget }) => [
    ...[name, passed + failed, failed, skipped, seconds.toFixed(1), budget ?? ''],
  ])
  const slowest = stages
    .flatMap(({ name: stage, report }) => report.tests.map((test) => ({ ...test, stage })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, stage, seconds }) => [stage, seconds.toFixed(1), name])
  const parts = [columns([['stage', 'tests', 'failed', 'skipped', 'seconds', 'budget'], ...rows])]
  if (slowest.length > 0) parts.push(columns([['stage', 'seconds', 'slowest tests'], ...slowest]))
  return parts.join('\n\n')
}

/** Rows in columns of equal width: the first and, when it is long, the last on the left, numbers on the right. */
function columns(rows: (string | number)[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  )
  const isText = (column: number) => rows.slice(1).some((row) => /[a-z]/i.test(String(row[column])))
  const cell = (value: string | number, column: number) =>
    isText(column) ? String(value).padEnd(widths[column] ?? 0) : String(value).padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(cell).join('   ').trimEnd()).join('\n')
}

/** The stages that took longer than their budgets. */
export function overBudget(stages: readonly StageResult[]): string[] {
  return stages
    .filter(({ seconds, budget }) => budget !== undefined && seconds > budget)
    .map(({ name, seconds, budget }) => `${name} took ${seconds.toFixed(0)} s, and its budget is ${budget} s`)
}

/** The plain last line of `npm test`. */
export function summary({ passed, failed, skipped }: Report): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
