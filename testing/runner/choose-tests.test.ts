import path from 'node:path'
import { expect, test } from 'vitest'
import { chooseTests } from './choose-tests'
import { repoRoot } from './repo-root'

const stages = ['lint', 'unit', 'int', 'e2e']
const here = path.join(repoRoot, 'testing/runner/choose-tests.test.ts')

test.each([
  ['names of stages', ['unit', 'e2e'], { unit: 'all', e2e: 'all' }],
  ['a file and a stage', ['lint', 'testing/runner/choose-tests.test.ts'], { lint: 'all', unit: [here] }],
  ['a file twice', [here, 'testing/runner/choose-tests.test.ts'], { unit: [here] }],
  ['a file and all of its stage', [here, 'unit'], { unit: 'all' }],
  ['a file of the browser', ['e2e/journey.spec.ts'], { e2e: [path.join(repoRoot, 'e2e/journey.spec.ts')] }],
])('%s', (_, words, expected) => {
  expect(Object.fromEntries(chooseTests(words, stages))).toEqual(expected)
})

test('a folder is all tests in it, each in its stage', () => {
  const { unit, int, ...others } = Object.fromEntries(chooseTests(['testing'], stages))
  expect(unit).toContain(here)
  expect(int).toContain(path.join(repoRoot, 'testing/machines/pgbouncer.int.test.ts'))
  expect(unit).not.toContain(path.join(repoRoot, 'testing/machines/pgbouncer.int.test.ts'))
  expect(others).toEqual({})
})

test.each([
  ['untit', '“untit” is neither a stage nor a path. The stages are lint, unit, int, e2e.'],
  ['testing/faults', '“testing/faults” has no test file. The stages are lint, unit, int, e2e.'],
  ['testing/runner/run-all.ts', '“testing/runner/run-all.ts” has no test file.'],
])('%s is refused', (word, sentence) => {
  expect(() => chooseTests([word], stages)).toThrow(sentence)
})
