import { decode } from '@toon-format/toon'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { ContextFragment, FragmentData } from '@/lib/context/fragments'
import * as fragments from '@/lib/context/fragments'
import { MarkdownRenderer, TomlRenderer, ToonRenderer, XmlRenderer } from '@/lib/context/renderers'

const { assistant, fragment, hint, lastAssistantMessage, role, styleGuide, term, user } = fragments
const { workflow } = fragments

const database = fragment(
  'database',
  ...[hint('PostgreSQL 15'), 'Read only', null],
  fragment('constraints', hint('No DELETE'), undefined, hint('No TRUNCATE')),
  {
    tables: [
      { name: 'users', rows: 12, big: false },
      { name: 'orders', rows: 3 },
    ],
    'max rows': 10,
    none: null,
  },
)
const prompt: ContextFragment[] = [
  role('You are a careful analyst.\nYou answer in English.'),
  hint('Exclude test accounts where id < 100 & flag > 0.'),
  term('MRR', 'monthly recurring revenue'),
  term('ARR', 'yearly recurring revenue, "run rate"'),
  workflow({ task: 'Report', steps: ['Load', 'Clean\nand check', 'Count'], triggers: [] }),
  styleGuide({ prefer: 'short sentences' }),
  hint('Be brief.'),
  ...[database, fragment('2nd note', 'single'), fragment('nothing'), user('Not part of the prompt')],
]
/** What is grouped, once each: texts, objects, and fragments within fragments. */
const nested = fragment('database', hint('PostgreSQL 15'), 'Read only')
const groups = [hint('Exclude.'), styleGuide({ prefer: 'short' }), hint('Be brief.'), nested]

const FORMATS = [
  ['xml', XmlRenderer],
  ['md', MarkdownRenderer],
  ['toml', TomlRenderer],
  ['toon', ToonRenderer],
] as const

describe.each(FORMATS)('the %s renderer', (extension, Renderer) => {
  it.each([
    ['prompt', false, prompt],
    ['prompt-grouped', true, groups],
  ])('given a whole prompt, prints the golden file %s', async (name, groupFragments, given) => {
    const text = new Renderer({ groupFragments }).render(given)
    await expect(text).toMatchFileSnapshot(`__golden__/${name}.${extension}`)
  })

  it('given nothing to say, says nothing', () => {
    const nothing = [null, undefined, [], {}, { a: null, b: [undefined] }, fragment('deeper'), user('Hello')]
    const silent = [
      ...[user('Hello'), assistant('Hi'), lastAssistantMessage('Hi'), fragment('empty', ...nothing)],
      ...[null, undefined].map((data) => ({ name: 'hint', data })),
    ]
    expect(new Renderer().render([])).toBe('')
    expect(new Renderer({ groupFragments: true }).render(silent)).toBe('')
  })

  it('given half a character in text or names, prints the replacement for it', () => {
    const half = '\ud83d'
    const text = new Renderer().render([{ name: `n${half}`, data: { [`k${half}`]: `v${half}` } }])
    expect(text.isWellFormed()).toBe(true)
    expect(text).toContain('v\ufffd')
  })

  it('given any data, prints it without a fault and changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyData), fc.boolean(), (children, groupFragments) => {
        const given = fragment('any', ...children)
        const before = structuredClone(given)
        const text = new Renderer({ groupFragments }).render([
          given,
          ...children.map((data) => ({ name: 'more', data })),
        ])
        expect(text.isWellFormed()).toBe(true)
        expect(given).toStrictEqual(before)
      }),
    )
  })
})

const { data: anyData } = fc.letrec<{ data: FragmentData }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, '</any><role>', '## Role', ']]>', '__proto__'),
    fc.record({ name: fc.string(), data: tie('data') }, { noNullPrototype: true }),
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('data'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

describe('XmlRenderer', () => {
  const xml = (...fragments: ContextFragment[]) => new XmlRenderer().render(fragments)

  it('escapes text, and only what has to be escaped', () => {
    expect(xml(hint('a < b'))).toBe('<hint>a &lt; b</hint>')
    expect(xml(hint(`</hint> & "it's"`))).toBe(`<hint>&lt;/hint&gt; &amp; "it's"</hint>`)
    expect(xml(hint('a\0b\u001b'))).toBe('<hint>a\ufffdb\ufffd</hint>')
  })

  it('makes element names legal', () => {
    const names = ['a b', '2nd', '-x', 'ns:x', '<script>', '', 'größe', '表']
    expect(names.map((name) => xml({ name, data: 1 }).replace(/>.*/, '>')).join(' ')).toBe(
      '<a_b> <_2nd> <_-x> <ns_x> <_script_> <_> <größe> <表>',
    )
    expect(xml({ name: '2nd', data: 1 })).toBe('<_2nd>1</_2nd>')
  })

  it('names list items after the list, or item', () => {
    const printed = xml({ name: 'x', data: { steps: ['a'], matrix: [[1], [2]] } })
    expect(printed.replace(/\n */g, '')).toBe(
      '<x><steps><step>a</step></steps><matrix><item><item>1</item></item><item><item>2</item></item></matrix></x>',
    )
    expect(printed).toContain('\n    <item>\n      <item>1</item>\n    </item>\n')
  })

  it('given an object among the children, prints an element per key; given several, keeps them apart', () => {
    const flat = (...fragments: ContextFragment[]) => xml(...fragments).replace(/\n */g, '')
    expect(flat(fragment('user', { age: 3 }))).toBe('<user><age>3</age></user>')
    expect(flat(fragment('user', hint('a'), { age: 3 }))).toBe('<user><hint>a</hint><age>3</age></user>')
    expect(flat(fragment('users', { age: 3 }, { age: 4 }))).toBe(
      '<users><user><age>3</age></user><user><age>4</age></user></users>',
    )
  })

  it('given a row that has name and data and more, loses none of it', () => {
    expect(xml({ name: 'row', data: { name: 'Ana', data: 3, unit: 'kg' } })).toContain('<unit>kg</unit>')
  })

  it('given any data, is well-formed: every element closes in order', () => {
    fc.assert(
      fc.property(fc.array(anyData), fc.boolean(), (children, groupFragments) => {
        const text = new XmlRenderer({ groupFragments }).render([fragment('any', ...children)])
        const open: string[] = []
        for (const [, slash, name = ''] of text.matchAll(/<(\/?)([^<>]*)>/g)) {
          expect(name).toMatch(/^[\p{L}\p{Nl}_][^\s<>&"'/=]*$|^[^\s<>&"'/=\d.-][^\s<>&"'/=]*$/u)
          if (slash) expect(open.pop()).toBe(name)
          else open.push(name)
        }
        expect(open).toEqual([])
        expect(text.replace(/<\/?[^<>]*>|&(amp|lt|gt);/g, '')).not.toMatch(/[<>&]/)
      }),
    )
  })
})

describe('TomlRenderer and ToonRenderer', () => {
  it('print what their own parsers read back', () => {
    const given = [
      ...[hint('a "quoted" = b'), hint('#'), term('MRR', 'x'), fragment('flags', { on: true, n: 1.5 })],
    ]
    const data = { hint: ['a "quoted" = b', '#'], term: { name: 'MRR', definition: 'x' } }
    expect(parse(new TomlRenderer().render(given))).toMatchObject(data)
    expect(decode(new ToonRenderer().render(given))).toMatchObject(data)
    const grouped = parse(new TomlRenderer({ groupFragments: true }).render(given))
    expect(grouped).toMatchObject({ hints: data.hint, terms: [data.term] })
  })

  it('given any data, print what can be parsed', () => {
    fc.assert(
      fc.property(fc.array(anyData), fc.boolean(), (children, groupFragments) => {
        const given = [fragment('any', ...children)]
        parse(new TomlRenderer({ groupFragments }).render(given))
        decode(new ToonRenderer({ groupFragments }).render(given))
      }),
    )
  })
})
