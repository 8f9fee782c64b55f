import { expect, test } from 'vitest'
import { sources } from './sources'

const product = ['app', 'components', 'lib']

/** The lines of these folders where a pattern is found. */
const found = (pattern: RegExp, ...tops: string[]): string[] =>
  [...sources(...tops)].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}`),
  )

test('keys of an object are written out: no object is spread to save their names', () => {
  expect(found(/\.\.\.\{/g, ...product, 'testing', 'e2e', 'bench')).toEqual([])
})

test('no effect leaves a dependency out: `useOnChange` takes what begins it again', () => {
  const lines = found(/biome-ignore lint\/correctness\/useExhaustiveDependencies/g, ...product)
  expect(lines.filter((line) => !line.startsWith('components/ui/use-on-change.ts'))).toEqual([])
})

test('a comment begins with its subject: not with "what", "how", "where", "which", "whether" or "of"', () => {
  expect(found(/\/\*\*\s+(?:\* )?(?:what|how|where|which|whether|of) /gi, ...product)).toEqual([])
})
