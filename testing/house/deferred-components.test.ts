import { expect, test } from 'vitest'
import { sources } from './sources'

test('components that come after the page come through `deferred`, which outlives a load that fails', () => {
  const others = [...sources('app', 'components')].filter(
    ([file, source]) =>
      file !== 'components/app/deferred.tsx' &&
      !/\.test\.tsx?$/.test(file) &&
      (/\blazy\s*[(<]/.test(source) || /from 'next\/dynamic'/.test(source)),
  )
  expect(others.map(([file]) => file)).toEqual([])
})

test('code that comes after the page looks for another version of the app when it cannot be loaded', () => {
  const others = [...sources('app', 'components')]
    .filter(([file]) => !/\.test\.tsx?$/.test(file))
    .flatMap(([file, source]) =>
      [...source.matchAll(/\bimport\('[^']+'\)(.{0,40})/gs)]
        .filter(([, after = '']) => !/^\s*\.catch\(withoutCode\)/.test(after))
        .filter(
          ({ index }) => !/deferred\(\s*(async )?\(\) =>[^;]*$/.test(source.slice(0, index).slice(-120)),
        )
        .filter(({ index }) => !/typeof $/.test(source.slice(0, index)))
        // the server has all of its code
        .filter(({ index }) => !/typeof window === 'undefined' \? $/.test(source.slice(0, index)))
        .map(([call]) => `${file}: ${call.split('\n')[0]}`),
    )
  expect(others).toEqual([])
})
