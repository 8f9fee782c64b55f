import { expect, test } from 'vitest'
import { sources } from './sources'

test('keys of an object are written out: no object is spread to save their names', () => {
  const files = [...sources('app', 'components', 'lib', 'testing', 'e2e', 'bench')]
  const packed = files.flatMap(([file, text]) => {
    return [...text.matchAll(/\.\.\.\{/g)].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
    )
  })
  expect(packed).toEqual([])
})
