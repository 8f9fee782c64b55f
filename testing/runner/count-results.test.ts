import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  countReport,
  failuresIn,
  faultFailures,
  faultsAgain,
  flakyPlaces,
  playwrightFailures,
  readFaultsReport,
  readPlaywrightReport,
  readVitestReport,
  summary,
  vitestAgain,
  vitestFailures,
} from './count-results'

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

describe('countReport', () => {
  test('reads what Vitest wrote', () => {
    const counts = countReport(readVitestReport, vitest(3, 2), false)
    expect(counts).toEqual({ passed: 3, failed: 2, skipped: 2 })
  })

  test('counts a file that did not load', () => {
    const broken = { name: 'a.test.ts', status: 'failed', assertionResults: [] }
    expect(countReport(readVitestReport, vitest(3, 0, [broken]), false).failed).toBe(1)
  })

  test('reads what Playwright wrote, and calls flaky failed', () => {
    const file = report({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } })
    expect(countReport(readPlaywrightReport, file, false)).toEqual({ passed: 4, failed: 2, skipped: 2 })
  })

  test('reads what the fault suite wrote', () => {
    const file = report([{ ok: true }, { ok: false }, { ok: true }])
    expect(countReport(readFaultsReport, file, false)).toEqual({ passed: 2, failed: 1, skipped: 0 })
  })

  test.each([
    ['failed with every test passed', vitest(3, 0), false],
    ['ran nothing', vitest(0, 0), true],
    ['left no report', path.join(folder, 'missing.json'), true],
  ])('a run that %s is a failure', (_, file, succeeded) => {
    expect(countReport(readVitestReport, file, succeeded).failed).toBe(1)
  })
})

describe('failuresIn', () => {
  test('names the failed tests of Vitest', () => {
    const assertionResults = [
      {
        fullName: 'a fork keeps its messages',
        status: 'failed',
        ancestorTitles: ['a fork'],
        title: 'keeps its messages',
      },
      { fullName: 'a rewind keeps them', status: 'passed', ancestorTitles: [], title: 'a rewind keeps them' },
    ]
    const file = vitest(1, 1, [
      { name: 'a.test.ts', status: 'failed', assertionResults },
      { name: 'b.test.ts', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [] },
    ])
    expect(failuresIn(vitestFailures, file)).toEqual([
      'a.test.ts › a fork keeps its messages',
      'b.test.ts was not loaded',
    ])
  })

  test('names the failed and the flaky tests of Playwright, in groups too', () => {
    const spec = (title: string, status: string) => ({
      ...{ title, file: 'files.spec.ts', line: 7, tests: [{ projectName: 'pglite', status }] },
    })
    const inner = { specs: [spec('on a phone', 'flaky')] }
    const suites = [{ specs: [spec('dropped', 'expected'), spec('pasted', 'unexpected')], suites: [inner] }]
    expect(failuresIn(playwrightFailures, report({ suites }))).toEqual([
      '[pglite] files.spec.ts › pasted (unexpected)',
      '[pglite] files.spec.ts › on a phone (flaky)',
    ])
  })

  test('tells where the flaky tests of Playwright stand, unless another has failed', () => {
    const spec = (line: number, status: string) => ({
      ...{ title: 'dropped', file: 'files.spec.ts', line, tests: [{ projectName: 'pglite', status }] },
    })
    const inner = { specs: [spec(40, 'flaky')] }
    const flaky = report({ suites: [{ specs: [spec(7, 'expected')], suites: [inner] }] })
    expect(failuresIn(flakyPlaces, flaky)).toEqual(['files.spec.ts:40'])
    const failed = report({ suites: [{ specs: [spec(7, 'unexpected')], suites: [inner] }] })
    expect(failuresIn(flakyPlaces, failed)).toEqual([])
  })

  test('tells how Vitest runs its failed tests alone', () => {
    const result = (title: string, status: string) => ({
      ...{ fullName: `forks (pglite) ${title}`, ancestorTitles: ['forks (pglite)'], title, status },
    })
    const file = (name: string, ...assertionResults: unknown[]) => ({
      ...{ name, status: 'failed', assertionResults },
    })
    const again = (...files: unknown[]) =>
      failuresIn((json) => vitestAgain(json, (name) => name.startsWith('dice')), vitest(0, 1, files))
    const fork = file('a.test.ts', result('a fork, kept', 'failed'), result('a rewind', 'passed'))
    const [name, option, pattern = ''] = again(fork)
    expect([name, option]).toEqual(['a.test.ts', '--testNamePattern'])
    for (const full of ['forks (pglite) a fork, kept', 'forks (pglite) > a fork, kept'])
      expect(full).toMatch(new RegExp(pattern))
    expect('forks (pglite) a rewind').not.toMatch(new RegExp(pattern))
    // nothing failed: nothing is asked again
    expect(again()).toEqual([])
    // a file that was not loaded, random steps, and too many are judged at once
    expect(again(fork, file('b.test.ts'))).toEqual([])
    expect(again(file('dice.test.ts', result('any steps', 'failed')))).toEqual([])
    expect(again(file('a.test.ts', ...['a', 'b', 'c', 'd'].map((name) => result(name, 'failed'))))).toEqual(
      [],
    )
  })

  test('names the faults that lost something, with the first loss', () => {
    const file = report([
      { fault: 'kill on pglite', ok: true, problems: [] },
      { fault: 'freeze on postgres', ok: false, problems: ['a reply was lost\n  at …', 'another'] },
      { fault: 'cut on postgres', ok: false, problems: [] },
    ])
    expect(failuresIn(faultFailures, file)).toEqual([
      'freeze on postgres: a reply was lost',
      'cut on postgres: was not tried',
    ])
    expect(failuresIn(faultsAgain, file)).toEqual(['freeze on postgres', 'cut on postgres'])
    const many = ['a', 'b', 'c', 'd'].map((fault) => ({ fault, ok: false, problems: [] }))
    expect(failuresIn(faultsAgain, report(many))).toEqual([])
  })

  test('names none of a report that is missing, which counts as a failure by itself', () => {
    expect(failuresIn(vitestFailures, path.join(folder, 'missing.json'))).toEqual([])
  })
})

test('the last line names what was skipped only when something was', () => {
  expect(summary({ passed: 2, failed: 0, skipped: 0 })).toBe('2 passed, 0 failed')
  expect(summary({ passed: 2, failed: 1, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped')
})
