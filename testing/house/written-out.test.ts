import { expect, test } from 'vitest'
import { sources } from './sources'

/** Rooms whose objects are written out later. */
const later =
  /^(?:components|lib\/store\/(?:commit|writes)|lib\/context\/planners)\/|^lib\/events\/decide\.ts$/

test('keys of an object are written out: no object is spread to save their names', () => {
  const files = [...sources('app', 'components', 'lib', 'testing', 'e2e', 'bench')]
  const packed = files.flatMap(([file, text]) => {
    if (later.test(file)) return []
    return [...text.matchAll(/\.\.\.\{\s*\w/g)].map(
      ({ index }) => `${file}:${text.slice(0, index).split('\n').length}`,
    )
  })
  expect(packed).toEqual([])
})
