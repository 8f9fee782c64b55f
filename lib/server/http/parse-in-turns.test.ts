import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInTurns } from './parse-in-turns'

const texts = [
  '{"a":[],"b":{},"c":[[],[{}]],"d":null}',
  '{"__proto__":{"x":1},"constructor":"y","":[""]}',
  '{"a":1,"a":2,"b":[true,false,-1.5e+3,0]}',
  ' { "a\\"b" : "\\\\" , "c" : [ "\\u0041" , "}" , "]" , "," ] } ',
]

it.each(texts)('given the JSON %s, then it is what JSON.parse makes of it', async (text) => {
  const [value, meant] = [await parseInTurns(text), JSON.parse(text)]
  expect(value).toEqual(meant)
  expect(JSON.stringify(value)).toBe(JSON.stringify(meant))
})

it('given any JSON, however it is laid out, then it is what JSON.parse makes of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), async (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      expect(JSON.stringify(await parseInTurns(text))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

it('given a million values, when they are parsed, then others have their turn meanwhile', async () => {
  let others = 0
  const count = () => {
    others++
    waiting = setImmediate(count)
  }
  let waiting = setImmediate(count)
  const { list } = (await parseInTurns(`{"list":[${'{},'.repeat(500_000)}{}]}`)) as { list: object[] }
  clearImmediate(waiting)
  expect(list).toHaveLength(500_001)
  expect(others).toBeGreaterThan(3)
})
