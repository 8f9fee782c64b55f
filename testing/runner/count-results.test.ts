import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { StageResult } from './count-results'
import * as counting from './count-results'
import { repoRoot } from './repo-root'

const { nothing, overBudget, readFaults, readPlaywright, readReport, readVitest } = counting
const { resultsTable, summary } = counting

const folder = mkdtempSync(path.join(tmpdir(), 'ramify-count-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let reports = 0
function report(content: unknown): string {
  const file = path.join(folder, `${reports++}.json`)
  writeFileSync(file, JSON.stringify(content))
  return file
}

function vitest(passed: number, failed: number, testResults: unknown[] = []) {
  const numbers = { numPassedTests: passed, numFailedTests: failed, numPendingTests: 1, numTodoTests: 1 }
  return report({ ...numbers, testResults })
}

describe('readReport', () => {
  test('reads counts, failures and times of Vitest', () => {
    const assertionResults = [
      {
        fullName: 'a fork keeps its messages',
        status: 'failed',
        duration: 1500,
        failureMessages: [
          'AssertionError: expected 2 to be 3\n    at run (/x/lib/a.ts:9:1)\n    at /x/testing/a.test.ts:12:5',
        ],
      },
      { fullName: 'a rewind keeps them', status: 'passed', duration: 250 },
      { fullName: 'a merge keeps them', status: 'pending' },
    ]
    const file = vitest(1, 1, [
      { name: path.join(repoRoot, 'testing/a.test.ts'), status: 'failed', assertionResults },
      { name: path.join(repoRoot, 'testing/b.test.ts'), status: 'failed', assertionResults: [] },
    ])
    expect(readReport(readVitest, file, false)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: [
        'testing/a.test.ts › a fork keeps its messages: AssertionError: expected 2 to be 3 at a.test.ts:12',
        'testing/b.test.ts was not loaded',
      ],
      tests: [
        { name: 'testing/a.test.ts › a fork keeps its messages', seconds: 1.5 },
        { name: 'testing/a.test.ts › a rewind keeps them', seconds: 0.25 },
        { name: 'testing/a.test.ts › a merge keeps them', seconds: 0 },
      ],
    })
  })

  test('reads those of Playwright, in groups too, and calls flaky failed', () => {
    const spec = (title: string, status: string, ...durations: number[]) => ({
      title,
      file: 'files.spec.ts',
      tests: [
        {
          projectName: 'pglite',
          status,
          results: durations.map((duration) => ({
            duration,
            ...(status === 'unexpected' && {
              error: { message: '\u001b[31mError\u001b[39m: no file\n\n  at x' },
            }),
          })),
        },
      ],
    })
    const inner = { specs: [spec('on a phone', 'flaky', 2000, 1000)] }
    const suites = [
      { specs: [spec('dropped', 'expected', 500), spec('pasted', 'unexpected', 100)], suites: [inner] },
    ]
    const stats = { expected: 1, unexpected: 1, flaky: 1, skipped: 2 }
    expect(readReport(readPlaywright, report({ stats, suites }), false)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 2,
      failures: ['[pglite] files.spec.ts › pasted: Error: no file', '[pglite] files.spec.ts › on a phone'],
      tests: [
        { name: '[pglite] files.spec.ts › dropped', seconds: 0.5 },
        { name: '[pglite] files.spec.ts › pasted', seconds: 0.1 },
        { name: '[pglite] files.spec.ts › on a phone', seconds: 3 },
      ],
    })
  })

  test('reads those of the fault suite, with the first loss of each fault', () => {
    const file = report([
      { fault: 'kill on pglite', ok: true, problems: [], seconds: 4 },
      { fault: 'freeze on postgres', ok: false, problems: ['a reply was lost\n  at …', 'more'], seconds: 5 },
      { fault: 'cut on postgres', ok: false, problems: [], seconds: 6 },
    ])
    expect(readReport(readFaults, file, false)).toMatchObject({
      passed: 1,
      failed: 2,
      failures: ['freeze on postgres: a reply was lost', 'cut on postgres: was not tried'],
      tests: [{ seconds: 4 }, { name: 'freeze on postgres', seconds: 5 }, { seconds: 6 }],
    })
  })

  test.each([
    ['failed with every test passed', vitest(3, 0), false],
    ['ran nothing', vitest(0, 0), true],
    ['left no report', path.join(folder, 'missing.json'), true],
  ])('a run that %s is a failure', (_, file, succeeded) => {
    expect(readReport(readVitest, file, succeeded).failed).toBe(1)
  })
})

const stage = (name: string, seconds: number, budget?: number, times: number[] = []): StageResult => ({
  name,
  seconds,
  budget,
  report: { ...nothing, passed: 2, failed: 1, tests: times.map((n) => ({ name: `test ${n}`, seconds: n })) },
})

test('the table has a line for each stage, and the ten slowest tests of all of them', () => {
  const stages = [
    stage('lint', 4.04, 20),
    stage('unit', 100, undefined, [1, 2, 3, 4, 5, 6]),
    stage('e2e', 70, 60, [12, 11, 10, 9, 8, 7]),
  ]
  expect(resultsTable(stages).split('\n')).toEqual([
    'stage   tests   failed   skipped   seconds   budget',
    'lint        3        1         0       4.0       20',
    'unit        3        1         0     100.0',
    'e2e         3        1         0      70.0       60',
    '',
    'stage   seconds   slowest tests',
    ...[12, 11, 10, 9, 8, 7].map((n) => `e2e     ${`${n}.0`.padStart(7)}   test ${n}`),
    ...[6, 5, 4, 3].map((n) => `unit    ${`${n}.0`.padStart(7)}   test ${n}`),
  ])
  expect(overBudget(stages)).toEqual(['e2e took 70 s, and its budget is 60 s'])
})

test('the last line names what was skipped only when something was', () => {
  expect(summary({ ...nothing, passed: 2 })).toBe('2 passed, 0 failed')
  expect(summary({ ...nothing, passed: 2, failed: 1, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped')
})
