import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Words of a person may be in any script, and may be composed of several keys.

const files = globSync('components/**/*.tsx')
  .filter((file) => !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

/** Fields that hold no words: their direction is the browser's. */
const noWords = /type="(checkbox|radio|file|color|range|hidden|password|email|number|url)"|inputMode=/

test('every text field says its direction: `auto` for words, `ltr` for the letters of a machine', () => {
  const silent = files.flatMap(({ file, text }) =>
    [...text.matchAll(/<(?:input|textarea)\b.*?\/>/gs)]
      .filter(([field]) => !noWords.test(field) && !field.includes('dir='))
      .map(([field]) => `${file}: ${field.replace(/\s+/g, ' ').slice(0, 80)}`),
  )
  expect(silent).toEqual([])
})

test('where Enter acts in a field, it does not while a word is composed', () => {
  const acts = files.filter(({ text }) => /<(?:input|textarea)\b/.test(text) && text.includes("=== 'Enter'"))
  expect(acts.length).toBeGreaterThan(2)
  const hasty = acts.filter(({ text }) => !text.includes('isComposing')).map(({ file }) => file)
  expect(hasty).toEqual([])
})
