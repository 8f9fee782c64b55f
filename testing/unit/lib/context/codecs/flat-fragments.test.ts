import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextFragment } from '@/lib/context'
import * as lib from '@/lib/context'
import { anyFragment, comparable } from '@/testing/worlds/any-fragment'

const { fragment, fromFragment, glossary, hint, lastAssistantMessage, memory, policy, principle } = lib
const { reminder, role, structuredOutput, term, toFragment, user } = lib
const { InvalidSerializedFragmentError, UnserializableFragmentError } = lib

const throughJson = (given: ContextFragment) => toFragment(JSON.parse(JSON.stringify(fromFragment(given))))

const text = fc.string({ unit: 'grapheme' })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const { policy: anyPolicy } = fc.letrec<{ policy: ContextFragment }>((tie) => ({
  policy: fc
    .tuple(text, maybe(text), maybe(fc.array(fc.oneof({ depthSize: 'small' }, text, tie('policy')))))
    .map(([rule, reason, policies]) =>
      policy({ rule, ...(reason === undefined ? {} : { reason }), ...(policies ? { policies } : {}) }),
    ),
}))
/** Fragments that helpers make, and some that only look as if they did. */
const anyHelped = fc.oneof(
  text.map(role),
  text.map(hint),
  fc.tuple(text, text).map(([name, definition]) => term(name, definition)),
  fc.tuple(text, maybe(text)).map(([content, id]) => memory(content, id === undefined ? {} : { id })),
  fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text).map(glossary),
  anyPolicy,
  fc.record({ schema: fc.dictionary(text, fc.jsonValue()) }).map(structuredOutput),
  fc.record({
    name: fc.constantFrom('hint', 'term', 'glossary', 'policy', 'message', 'fragment', '__proto__'),
    data: fc.oneof(
      text,
      fc.constant(null),
      fc.dictionary(fc.constantFrom('name', 'definition', 'rule', 'policies', 'type'), text),
      fc.array(fc.record({ term: text, definition: text })),
    ),
  }),
)

describe('flat fragments', () => {
  it('given any fragment, come back through JSON as they were', () => {
    // the default said outright is not told from the default
    const isDefault = (key: PropertyKey, value: unknown) => key === 'type' && value === 'fragment'
    fc.assert(
      fc.property(fc.oneof(anyFragment, anyHelped), (given) => {
        expect(comparable(throughJson(given), isDefault)).toStrictEqual(comparable(given, isDefault))
      }),
      { numRuns: 500 },
    )
  })

  it('are flat, typed, and plain to read', () => {
    // a fragment, and its form: what a form cannot hold is flat, with name and data
    const named = { name: 'term', data: { definition: 'first', name: 'second' } }
    const entries = [
      { term: 'b', definition: 'x' },
      { term: '1', definition: 'y' },
    ]
    const title = { title: 'Order', description: 'First things first' }
    const whole = (name: string, data: unknown, more = {}) => ({ type: 'fragment', name, data, ...more })
    const message = { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }
    const database = [{ $fragment: { type: 'hint', text: 'PostgreSQL' } }, 'Read only']
    const metadata = { path: '/a' }
    const forms: [ContextFragment, object][] = [
      [hint('Be brief'), { type: 'hint', text: 'Be brief' }],
      [memory('Called Ada', { id: 'm1' }), { type: 'memory', id: 'm1', content: 'Called Ada' }],
      [
        principle({ ...title, policies: ['Ask', policy({ rule: 'Check' })] }),
        { type: 'principle', ...title, policies: ['Ask', { type: 'policy', rule: 'Check' }] },
      ],
      [glossary({ MRR: 'monthly' }), { type: 'glossary', entries: { MRR: 'monthly' } }],
      [fragment('database', hint('PostgreSQL'), 'Read only'), whole('database', database)],
      [{ ...hint('x'), metadata }, whole('hint', 'x', { metadata })],
      [named, whole(named.name, named.data)],
      // as entries, the number would come first
      [{ name: 'glossary', data: entries }, whole('glossary', entries)],
      [
        user('Hi', { id: 'q1' }),
        { type: 'message', id: 'q1', name: 'user', data: 'Hi', persist: true, message },
      ],
      [lastAssistantMessage('Fixed'), { type: 'last-assistant', content: 'Fixed' }],
    ]
    expect(forms.map(([given]) => fromFragment(given))).toEqual(forms.map(([, form]) => form))
  })

  it('have a form for every helper', () => {
    const examples: ContextFragment[] = [
      lib.alias('a', 'b'),
      lib.analogy({ concepts: ['a', 'b'], relationship: 'c', insight: 'd', therefore: 'e', pitfall: 'f' }),
      lib.clarification({ when: 'a', ask: 'b', reason: 'c' }),
      lib.correction('a', 'b'),
      lib.example({ question: 'a', answer: 'b', note: 'c' }),
      lib.explain({ concept: 'a', explanation: 'b', therefore: 'c' }),
      lib.guardrail({ rule: 'a', reason: 'b', action: 'c' }),
      lib.identity({ name: 'a', role: 'b' }),
      lib.persona({ name: 'a', role: 'b', objective: 'c', tone: 'd' }),
      lib.preference('a', 'b'),
      lib.quirk({ issue: 'a', workaround: 'b' }),
      lib.structuredOutput({ name: 'a', description: 'b', schema: {} }),
      lib.styleGuide({ prefer: 'a', always: 'b', never: 'c' }),
      lib.workflow({ task: 'a', steps: ['b'], triggers: [], notes: 'c' }),
      lib.policy({ rule: 'a', before: 'b', reason: 'c', policies: [] }),
    ]
    for (const given of examples) {
      expect(fromFragment(given)).toMatchObject({ type: given.name })
      expect(throughJson(given)).toStrictEqual(given)
    }
  })

  it('given a codec, are what it encodes, and are read by the reader of that type', () => {
    const price = (cents: number): ContextFragment => ({
      name: 'price',
      data: null,
      codec: { encode: () => ({ type: 'price', cents, note: hint('net') }), decode: () => `${cents} ct` },
    })
    const json = JSON.parse(JSON.stringify(fromFragment(fragment('list', price(5)))))
    expect(json).toEqual({
      type: 'fragment',
      name: 'list',
      data: [{ $fragment: { type: 'price', cents: 5, note: { $fragment: { type: 'hint', text: 'net' } } } }],
    })
    const read = toFragment(json, {
      types: {
        price: ({ cents, note }) => {
          expect(note).toEqual(hint('net'))
          if (typeof cents !== 'number') throw new Error('cents are a number')
          return price(cents)
        },
      },
    })
    expect(comparable(read)).toEqual(comparable(fragment('list', price(5))))
    expect(new lib.XmlRenderer().render([read])).toBe('<list>\n  <price>5 ct</price>\n</list>')
  })

  it.each<[ContextFragment, string, string]>([
    [fragment('x', async () => 'later'), '$.data', 'a function'],
    [fragment('x', { a: Promise.resolve(1) }), '$.data.a', 'a promise'],
    [reminder('Be brief'), '$.metadata.reminder.when', 'a function'],
    [fragment('x', hint(new Map() as never)), '$.data[0].data', 'an instance of Map'],
    [{ name: 'x', data: 1, codec: { encode: () => 5, decode: () => 5 } }, '$.codec', 'a form without a type'],
    [{ name: 'user', data: 'x', type: 'message' }, '$', 'a message without codec'],
    [Object.assign(hint('x'), { unit: 'kg' }), '$.unit', 'an unknown field'],
  ])('given what JSON cannot hold, name its place (%#)', (given, path, reason) => {
    expect(() => fromFragment(given)).toThrow(new UnserializableFragmentError(path, reason))
  })

  const text = 'a text was expected'
  const missing = 'the field is missing'
  const policies = (...list: unknown[]) => ({ type: 'policy', rule: 'x', policies: list })
  const of = (data: unknown) => ({ type: 'fragment', name: 'x', data })
  it.each([
    [null, '$', 'an object with a type was expected'],
    [{ text: 'x' }, '$', 'an object with a type was expected'],
    [{ type: 'price', cents: 1 }, '$', 'unknown type "price"'],
    [{ type: 'constructor' }, '$', 'unknown type "constructor"'],
    [{ type: 'hint' }, '$.text', missing],
    [{ type: 'hint', text: 1 }, '$.text', text],
    [{ type: 'hint', text: 'x', more: 1 }, '$.more', 'an unknown field'],
    [{ type: 'hint', id: 1, text: 'x' }, '$.id', text],
    [{ type: 'workflow', task: 'x', steps: ['a', 1] }, '$.steps', 'a list of texts was expected'],
    [policies(1), '$.policies', 'a list of texts and fragments was expected'],
    [policies({ type: 'policy' }), '$.policies[0].rule', missing],
    [{ type: 'glossary', entries: { a: 1 } }, '$.entries.a', text],
    [{ type: 'glossary' }, '$.entries', 'definitions by term were expected'],
    [{ type: 'glossary', entries: {}, more: 1 }, '$.more', 'an unknown field'],
    [{ type: 'last-assistant' }, '$.content', text],
    [{ type: 'last-assistant', content: 'x', more: 1 }, '$.more', 'an unknown field'],
    [{ type: 'message', name: 'user', data: 'x' }, '$.message', missing],
    [{ type: 'fragment', name: 'x' }, '$', 'name and data were expected'],
    [{ ...of(1), codec: 1 }, '$', 'name and data were expected'],
    [{ ...of(1), more: 1 }, '$.more', 'an unknown field'],
    [of([{ $fragment: { type: 'hint' } }]), '$.data[0].text', missing],
    [of({ $fragment: {}, a: 1 }), '$.data', 'unknown key "a" beside $fragment'],
    [of({ $later: 1 }), '$.data', 'unknown tag $later'],
  ])('given %j, name the place and the reason', (json, path, reason) => {
    expect(() => toFragment(json)).toThrow(new InvalidSerializedFragmentError(path, reason))
  })

  it('given a reader that fails, tell its reason with the place', () => {
    const types = {
      price: () => {
        throw new Error('cents are a number')
      },
    }
    expect(() => toFragment(of([{ $fragment: { type: 'price' } }]), { types })).toThrow(
      new InvalidSerializedFragmentError('$.data[0]', 'cents are a number'),
    )
  })
})
