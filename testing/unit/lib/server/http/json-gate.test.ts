import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonGate, type JsonLimits, JsonRefusedError } from '@/lib/server/http/json-gate'

const roomy: JsonLimits = { depth: 64, values: 100_000 }

/** What the gate lets through, with the body arriving in pieces of `size` bytes. */
function through(text: string, limits: JsonLimits = roomy, size = 7): unknown {
  const gate = new JsonGate(limits)
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) gate.push(bytes.subarray(i, i + size))
  return JSON.parse(Buffer.concat(gate.end()).toString())
}

function refusal(text: string, limits: JsonLimits = roomy): string | undefined {
  try {
    through(text, limits)
    return undefined
  } catch (error) {
    if (error instanceof JsonRefusedError) return error.reason
    throw error
  }
}

const parses = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

describe('given a body that arrives in pieces', () => {
  const anyBody = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 }))
  it('when it is any JSON object, then that object passes', () => {
    fc.assert(
      fc.property(
        anyBody,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 1),
        (body, size, space) => {
          const text = JSON.stringify(body, null, space)
          expect(through(text, { ...roomy, lastOf: 'no such list' }, size)).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('when a byte of it is changed, then it is refused exactly when the parser would refuse it', () => {
    const body = '{"a":[1,-0.5e+10,true,false,null,"x\\u00e9\\n"],"messages":[{"b":{}},[],[[]]],"c":"" }'
    const byte = fc.constantFrom(...'{}[]":,\\u0123456789.eE+-truefalsn \t\u0001x')
    fc.assert(
      fc.property(fc.nat({ max: body.length - 1 }), byte, fc.boolean(), (at, other, inserts) => {
        const text = body.slice(0, at) + other + body.slice(inserts ? at : at + 1)
        expect(refusal(text)).toBe(parses(text) ? undefined : 'invalid')
      }),
      { numRuns: 3000 },
    )
  })

  it.each('| |null|1|"a"|[]|[{}]|{}{}|{} x|{"a":01}|{"a":1.}|{"a":-}|{,}'.split('|'))(
    'when it is no single object, like %j, then it is refused',
    (text) => {
      expect(refusal(text)).toBe('invalid')
    },
  )

  it('when it is cut off anywhere, then it is refused', () => {
    const body = '{"a":[1,{"b":"c\\u0041"}],"d":true}'
    for (let end = 0; end < body.length; end++) expect(refusal(body.slice(0, end))).toBe('invalid')
  })
})

describe('given a limit', () => {
  it('when a body is one level deeper, then it is refused, and at the limit it is not', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(refusal(nested(5), { depth: 5, values: 100 })).toBeUndefined()
    expect(refusal(nested(6), { depth: 5, values: 100 })).toBe('depth')
  })

  it('when five million empty objects come, then it is refused at the first ones, and the rest is not looked at', () => {
    const gate = new JsonGate({ depth: 64, values: 10_000 })
    gate.push(Buffer.from('{"a":['))
    const chunk = Buffer.from('{},'.repeat(20_000))
    expect(() => gate.push(chunk)).toThrow(JsonRefusedError)
  })

  it.each([
    '[1,1,1,1,1]',
    '[[],[],[],[],[]]',
    '{"a":{},"b":{},"c":{},"d":1,"e":2}',
    '[{"a":1,"b":2},{"a":3}]',
  ])('when %s holds more values than that, then it is refused', (list) => {
    expect(refusal(`{"list":${list}}`, { depth: 9, values: 6 })).toBe('values')
  })
})

describe('given the list of which only the last element is read', () => {
  const stock: JsonLimits = { depth: 20, values: 30, lastOf: 'messages' }

  it('when a body has others around it, then the last one and the rest of the body are let through', () => {
    const text = '{"id":"c","messages":[{"id":1},{"id":2,"parts":["}],"]},{"id":3}],"trigger":"submit"}'
    for (const size of [1, 2, 3, 5, 100]) {
      expect(through(text, stock, size)).toEqual({ id: 'c', messages: [{ id: 3 }], trigger: 'submit' })
    }
  })

  it.each(['[]', '[7]', '["a,b"]', '[ {"a":1} , {"b":2} ]', '"no list"', '{"a":[1,2]}'])(
    'when it is %s, then its last element or what stands there instead is let through',
    (value) => {
      const parsed: unknown = JSON.parse(value)
      const expected = Array.isArray(parsed) ? parsed.slice(-1) : parsed
      expect(through(`{"messages": ${value} }`, stock, 3)).toEqual({ messages: expected })
    },
  )

  it('when a list of that name lies deeper, then it is left whole', () => {
    const text = '{"a":{"messages":[1,2]},"messages":[{"messages":[3,4]}]}'
    expect(through(text, stock, 4)).toEqual(JSON.parse(text))
  })

  it('when the elements before it hold any number of values, then only its own count', () => {
    const big = JSON.stringify(Array.from({ length: 100 }, () => ({})))
    expect(through(`{"messages":[${big},${big},{"id":3}]}`, stock)).toEqual({ messages: [{ id: 3 }] })
    expect(refusal(`{"messages":[{"id":3},${big}]}`, stock)).toBe('values')
  })

  it('when an element that is dropped is no JSON, then the body is refused all the same', () => {
    for (const broken of ['{"id":},{"id":3}', '{"id":1} {"id":3}', '{"id":1},'])
      expect(refusal(`{"messages":[${broken}]}`, stock)).toBe('invalid')
  })
})
