import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as codecs from '@/lib/context/codecs'
import type { ContextFragment, FragmentData } from '@/lib/context/fragments'
import * as fragments from '@/lib/context/fragments'
import { XmlRenderer } from '@/lib/context/renderers'
import { anyFragment, comparable } from '@/testing/worlds/any-fragment'

const { fragment, hint, user } = fragments
const { deserializeFragment, serializeFragment } = codecs
const { InvalidSerializedFragmentError, UnserializableFragmentError } = codecs

const throughJson = (given: ContextFragment) =>
  deserializeFragment(JSON.parse(JSON.stringify(serializeFragment(given))))

describe('serialized fragments', () => {
  it('given any fragment, come back through JSON as they were', () => {
    fc.assert(
      fc.property(anyFragment, (given) => {
        expect(comparable(throughJson(given))).toStrictEqual(comparable(given))
      }),
      { numRuns: 500 },
    )
  })

  it('are plain to read', () => {
    const data = [{ $fragment: { name: 'hint', data: 'PostgreSQL' } }, { $undefined: true }]
    const given = fragment('db', hint('PostgreSQL'), undefined)
    expect(serializeFragment(given)).toStrictEqual({ $fragment: { name: 'db', data } })
  })

  it('given a message whose id was changed on one side only, has one id again', () => {
    const json = serializeFragment(user('Hello', { id: 'q1' }))
    expect(deserializeFragment({ ...json, $fragment: { ...json.$fragment, id: 'q2' } }).id).toBe('q1')
  })

  it('given a codec on a fragment that is no message, keep what it gives', () => {
    const decoded = { price: '0.05', at: Number.NaN }
    const codec = { encode: () => ({ type: 'price', cents: 5 }), decode: () => decoded }
    const given: ContextFragment = { name: 'price', data: null, codec }
    const restored = throughJson(given)
    expect(comparable(restored)).toStrictEqual(comparable(given))
    const xml = (price: ContextFragment) => new XmlRenderer().render([price, fragment('list', price)])
    expect(xml(restored)).toBe(xml(given))
    expect(xml(given)).toContain('<price>0.05</price>')
  })

  it('given a Date, store what JSON stores', () => {
    const when = new Date(0)
    const restored = throughJson({ name: 'hint', data: 'x', metadata: { when } })
    expect(restored.metadata).toEqual({ when: '1970-01-01T00:00:00.000Z' })
  })

  it.each([
    [{ size: () => 1 }, '$.data[0].size', 'a function'],
    [new Map(), '$.data[0]', 'an instance of Map'],
    [10n, '$.data[0]', 'a bigint'],
  ])('given what JSON cannot hold, name its place (%#)', (data, path, reason) => {
    expect(() => serializeFragment({ name: 'x', data: [data as never] })).toThrow(
      new UnserializableFragmentError(path, reason),
    )
  })

  it('given a cycle, end', () => {
    const data: FragmentData[] = []
    const loop = { name: 'loop', data }
    data.push(loop)
    expect(() => serializeFragment(loop)).toThrow(UnserializableFragmentError)
  })

  it.each([
    [null],
    ['hint'],
    [{ name: 'hint', data: 'x' }],
    [{ $fragment: { name: 'hint' } }],
    [{ $fragment: { name: 1, data: 'x' } }],
    [{ $fragment: { name: 'x', data: 'x', type: 'other' } }],
    [{ $fragment: { name: 'x', data: 'x', codec: {} } }],
    [{ $fragment: { name: 'x', data: { $later: 1 } } }],
    [{ $fragment: { name: 'x', data: { $number: '7' } } }],
    [{ $fragment: { name: 'x', data: { $undefined: true, more: 1 } } }],
    [{ $fragment: { name: 'x', data: 1 }, extra: 1 }],
    [{ $fragment: { name: 'x', data: 1 }, $codec: { encoded: 1 } }],
    [{ $fragment: { name: 'x', data: 1 }, $lazy: { type: 'first-user', content: 'x' } }],
  ])('given %j, which was never written, refuse it', (json) => {
    expect(() => deserializeFragment(json)).toThrow(InvalidSerializedFragmentError)
  })
})
