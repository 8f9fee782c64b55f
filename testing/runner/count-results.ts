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
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
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

/** The failed tests of a Vitest report, by file and name: a log that is cut above its summary still tells them. */
export function failuresOf(json: unknown): string[] {
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

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
})

/** Playwright's JSON reporter. A flaky test is a failed one. */
export function readPlaywrightReport(json: unknown): Counts {
  const { stats } = playwrightReport.parse(json)
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
}

const faultsReport = z.array(z.object({ ok: z.boolean() }))

/** The report of `npm run test:faults`: one entry for each fault on each database. */
export function readFaultsReport(json: unknown): Counts {
  const outcomes = faultsReport.parse(json)
  const passed = outcomes.filter(({ ok }) => ok).length
  return { ...nothing, passed, failed: outcomes.length - passed }
}

/** The plain last line of `npm test`. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
