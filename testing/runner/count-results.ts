import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Counts = { passed: number; failed: number; skipped: number }

export const nothing: Counts = { passed: 0, failed: 0, skipped: 0 }

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** A stage without tests of its own is one check. */
export function countCheck(succeeded: boolean): Counts {
  return succeeded ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 }
}

/**
 * Reads a reporter's file. A run that failed without a failed test (a crash, no report, no tests at all,
 * an unhandled rejection) counts as one failure, so that no exit code is lost.
 */
export function countReport(read: (json: unknown) => Counts, file: string, succeeded: boolean): Counts {
  let counts = nothing
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return countCheck(false)
  }
  const ran = counts.passed + counts.failed > 0
  return (succeeded && ran) || counts.failed > 0 ? counts : add(counts, countCheck(false))
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
          ...{ fullName: z.string(), status: z.string(), title: z.string() },
          ancestorTitles: z.array(z.string()),
        }),
      ),
    }),
  ),
})

/** Vitest's JSON reporter. A file that could not even be loaded has no tests: it counts as one failure. */
export function readVitestReport(json: unknown): Counts {
  const report = vitestReport.parse(json)
  const broken = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * What has failed, of the reporter's file that `countReport` counts: a log that is cut above its summary still tells it.
 * Nothing of a file that is missing or is no report: that counts as a failure of its own.
 */
export function failuresIn(read: (json: unknown) => string[], file: string): string[] {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return []
  }
}

/** The failed tests of a Vitest report, by file and name. */
export function vitestFailures(json: unknown): string[] {
  return vitestReport
    .parse(json)
    .testResults.filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length > 0
        ? failed.map(({ fullName }) => `${name} › ${fullName}`)
        : [`${name} was not loaded`]
    })
}

/**
 * The arguments with which Vitest runs the failed tests of its report alone. None when there are more than three, when a
 * file was not loaded, or when a test takes random steps: what it found may not be found again.
 *
 * @param isRandom whether the tests of a file take random steps
 */
export function vitestAgain(json: unknown, isRandom: (file: string) => boolean): string[] {
  const files = vitestReport.parse(json).testResults.filter(({ status }) => status === 'failed')
  const failed = files.map(({ assertionResults }) =>
    assertionResults.filter((test) => test.status === 'failed'),
  )
  const known = files.every(({ name }, n) => failed[n]?.length && !isRandom(name))
  const count = failed.flat().length
  if (!known || count === 0 || count > 3) return []
  const escaped = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '\\$&')
  // between the name of a group and the next stands a sign in some versions
  const names = failed
    .flat()
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].map(escaped).join('( >)? '))
  return [...files.map(({ name }) => name), '--testNamePattern', `^(${names.join('|')})$`]
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/** Playwright's JSON reporter. A flaky test is a failed one. */
export function readPlaywrightReport(json: unknown): Counts {
  const { stats } = playwrightReport.parse(json)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
}

interface Suite {
  suites?: Suite[] | undefined
  specs: { title: string; file: string; line: number; tests: { projectName: string; status: string }[] }[]
}

const suite: z.ZodType<Suite> = z.object({
  get suites() {
    return z.array(suite).optional()
  },
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      line: z.number(),
      tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
    }),
  ),
})

/** The failed and flaky tests of a Playwright report, by project, file and name. */
export function playwrightFailures(json: unknown): string[] {
  return testsOf(json)
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ project, file, title, status }) => `[${project}] ${file} › ${title} (${status})`)
}

/** Where the flaky tests of a Playwright report stand, as its command line takes them. None when another has failed. */
export function flakyPlaces(json: unknown): string[] {
  const tests = testsOf(json)
  if (tests.some(({ status }) => status === 'unexpected')) return []
  return tests.filter(({ status }) => status === 'flaky').map(({ file, line }) => `${file}:${line}`)
}

function testsOf(json: unknown) {
  const { suites } = z.object({ suites: z.array(suite) }).parse(json)
  const inSuite = ({ suites: inner = [], specs }: Suite): ReturnType<typeof inSpec> => [
    ...specs.flatMap(inSpec),
    ...inner.flatMap(inSuite),
  ]
  const inSpec = ({ tests, ...spec }: Suite['specs'][number]) =>
    tests.map(({ projectName, status }) => ({ ...spec, project: projectName, status }))
  return suites.flatMap(inSuite)
}

const faultsReport = z.array(z.object({ ok: z.boolean() }))

const faultProblems = z.array(z.object({ fault: z.string(), ok: z.boolean(), problems: z.array(z.string()) }))

/** The report of `npm run test:faults`: one entry for each fault on each database. */
export function readFaultsReport(json: unknown): Counts {
  const outcomes = faultsReport.parse(json)
  const passed = outcomes.filter(({ ok }) => ok).length
  return { ...nothing, passed, failed: outcomes.length - passed }
}

/** The faults that did not go well, by the names that run them alone. None when there are more than three. */
export function faultsAgain(json: unknown): string[] {
  const failed = faultProblems.parse(json).filter(({ ok }) => !ok)
  return failed.length > 3 ? [] : failed.map(({ fault }) => fault)
}

/** The plain last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** The faults that lost or doubled something, with the first of what they did. */
export const faultFailures = (json: unknown): string[] =>
  faultProblems
    .parse(json)
    .filter(({ ok }) => !ok)
    .map(({ fault, problems: [first = 'was not tried'] }) => `${fault}: ${first.split('\n')[0]}`)
