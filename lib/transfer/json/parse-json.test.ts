import { expect, test } from 'vitest'
import { parse, whereBroken } from './parse-json'

test.each([
  ['a comma before the end of a list', '{"a":[{"b":1},]}', 1, 15],
  ['a comma before the end of an object', '{"a":1,}', 1, 8],
  ['a word that is none', '{"a":\n  nothing}', 2, 3],
  ['a missing comma', '[1 2]', 1, 4],
  ['a key without a value', '{"a"}', 1, 5],
  ['a line break in a text', '{"a":"x\ny"}', 1, 6],
  ['an end that never comes', '{"a":[1', 1, 8],
  ['a bracket too many', '{"a":1}}', 1, 8],
  ['brackets that cross', '[{"a":1]}', 1, 8],
])('the place of %s is told', (_, text, line, column) => {
  expect(parse(Buffer.from(text))).toBeNull()
  expect(whereBroken(Buffer.from(text))).toBe(` at line ${line}, column ${column}`)
})
