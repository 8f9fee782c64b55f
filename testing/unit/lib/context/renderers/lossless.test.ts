import { decode } from '@toon-format/toon'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { type FragmentData, fragment } from '@/lib/context/fragments'
import { isExactFragment } from '@/lib/context/fragments/guards'
import { MarkdownRenderer, TomlRenderer, ToonRenderer, XmlRenderer } from '@/lib/context/renderers'

type Value = string | number | boolean | Value[] | { [key: string]: Value }

const KEYS = ['größe', 'a b', 'a.b', '', '1', '-', '#', '__proto__', 'constructor', '表', '"', "'", '[x]']
const TEXTS = ['', ' ', '\t', 'a\nb', '- a', 'a: b', ...'null true 12 -0 NaN 2026-11-22 a,b [1]'.split(' ')]

const key = fc.oneof(fc.constantFrom(...KEYS), fc.string({ unit: 'grapheme', maxLength: 4 }))
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...TEXTS),
  fc.double(),
  fc.integer(),
  fc.constantFrom(NaN, Infinity, -Infinity, 0, 1e21, Number.MAX_SAFE_INTEGER),
  fc.boolean(),
)
const { value: anyValue } = fc.letrec<{ value: FragmentData }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constantFrom(null, undefined, [], {}),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.dictionary(fc.constantFrom('id', 'name', 'größe'), scalar, { noNullPrototype: true })),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
/** The content of a fragment: an object that is no fragment itself, nor holds one. */
const anyObject = fc
  .dictionary(key, anyValue, { maxKeys: 4, noNullPrototype: true })
  .filter((object) => !holdsFragment(object))

function holdsFragment(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isExactFragment(value) || Object.values(value).some(holdsFragment)
}

/** What a value says: everything but `null`, `undefined` and what holds nothing else. */
function said(
  value: FragmentData,
  say: (scalar: number) => Value | undefined = (number) => number,
): Value | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'function') throw new Error('no functions here')
  if (typeof value === 'number') return say(Object.is(value, -0) ? 0 : value)
  if (typeof value !== 'object') return value
  const size = Object.keys(value).length
  const entries = Object.entries(value).flatMap(([name, inner]: [string, FragmentData]) => {
    const content = said(inner, say)
    return content === undefined ? [] : [[name, content] as const]
  })
  if (entries.length === 0 && size > 0) return undefined
  return Array.isArray(value) ? entries.map(([, content]) => content) : Object.fromEntries(entries)
}

/** What is read back, under the name it was printed with; nothing at all for an object that says nothing. */
const readBack = (read: unknown): Value | undefined => said((read as { x?: FragmentData }).x)

/** The content of a fragment as it is read back: a fragment that says nothing is not printed. */
function content(data: FragmentData, say?: (scalar: number) => Value | undefined): Value | undefined {
  const value = said(data, say)
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value
}

const finite = (number: number): Value | undefined => (Number.isFinite(number) ? number : undefined)

function scalars(value: Value | undefined): (string | number | boolean)[] {
  if (value === undefined) return []
  return typeof value === 'object' ? Object.values(value).flatMap(scalars) : [value]
}

const render =
  (renderer: { render(given: { name: string; data: FragmentData }[]): string }) => (data: FragmentData) =>
    renderer.render([{ name: 'x', data }])
const [toml, toon] = [render(new TomlRenderer()), render(new ToonRenderer())]
const [xml, markdown] = [render(new XmlRenderer()), render(new MarkdownRenderer())]

describe('what a fragment says', () => {
  it.each<[string, (data: FragmentData) => unknown, ((number: number) => Value | undefined) | undefined]>([
    ['a parser of TOML reads back', (data) => parse(toml(data)), undefined],
    [
      'a decoder of TOON reads back, but NaN and the infinities',
      (data) => (toon(data) === '' ? {} : decode(toon(data))),
      finite,
    ],
  ])('given any object, is what %s', (_, read, say) => {
    fc.assert(
      fc.property(anyObject, (data) => {
        expect(readBack(read(data))).toEqual(content(data, say))
      }),
      { numRuns: 500 },
    )
  })

  it('given any rows, of TOML and TOON alike is as many rows, also when it is one', () => {
    const row = fc.dictionary(key, scalar, { minKeys: 1, noNullPrototype: true })
    const rows = fc.array(row, { minLength: 1, maxLength: 4 }).filter((data) => !holdsFragment(data))
    fc.assert(
      fc.property(rows, (data) => {
        expect(readBack(parse(toml(data)))).toEqual(said(data))
        expect(readBack(decode(toon(data)))).toEqual(said(data, finite))
      }),
    )
  })

  it('given any object, is all in its XML, in its order', () => {
    fc.assert(
      fc.property(anyObject, (data) => {
        const text = xml(data)
        const leaves = [...text.matchAll(/<([^<>/]*)>([^<]*)<\/\1>/g)].map(([, , leaf = '']) => leaf)
        const expected = scalars(content(data)).map((scalar) =>
          String(scalar).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
        )
        // an empty list or object is an element without text
        expect(leaves.filter((leaf) => leaf !== '')).toEqual(expected.filter((leaf) => leaf !== ''))
      }),
    )
  })

  it('given any object, is all in its Markdown, in its order', () => {
    fc.assert(
      fc.property(anyObject, (data) => {
        const text = markdown(data)
        let from = 0
        for (const scalar of scalars(content(data))) {
          for (const line of String(scalar).split(/\r?\n/)) {
            const at = text.indexOf(line, from)
            expect(at, `${JSON.stringify(line)} in ${JSON.stringify(text)}`).toBeGreaterThanOrEqual(0)
            from = at + line.length
          }
        }
      }),
    )
  })
})

describe('renderers', () => {
  it('given a list of one object, print a list of one', () => {
    expect(toon([{ a: 1 }])).toBe('x[1]{a}:\n  1')
    expect(toml([{ a: 1 }])).toBe('[[x]]\na = 1')
    expect(xml([{ a: 1 }])).toBe('<x>\n  <item>\n    <a>1</a>\n  </item>\n</x>')
    expect(toon(fragment('x', { a: 1 }).data)).toBe('x:\n  a: 1')
  })

  it('given an empty list and an empty object inside of content, print both', () => {
    const data = { list: [], object: {} }
    expect(toml(data)).toBe('[x]\nlist = []\n\n[x.object]')
    expect(toon(data)).toBe('x:\n  list: []\n  object:')
    expect(xml(data)).toBe('<x>\n  <list></list>\n  <object></object>\n</x>')
    expect(markdown(data)).toBe('## X\n\n- **list**: []\n- **object**: {}')
  })

  it('given numbers, TOON prints them as its specification says', () => {
    const numbers = [Number.NaN, Infinity, -Infinity, -0, 1e6, 1e20, 1e-6, 0.1 + 0.2, 1e21, 1e-7]
    expect(toon(numbers)).toBe(
      'x[10]: null,null,null,0,1000000,100000000000000000000,0.000001,0.30000000000000004,1e+21,1e-7',
    )
    expect(
      toon([
        { a: 1, b: Number.NaN },
        { a: 2, b: 3 },
      ]),
    ).toBe('x[2]{a,b}:\n  1,null\n  2,3')
    expect(toon(['NaN', '-0', '1e6'])).toBe('x[3]: NaN,"-0","1e6"')
  })

  it('given keys beyond ASCII, keep them', () => {
    expect(toml({ größe: 1, 表: 2 })).toBe('[x]\n"größe" = 1\n"表" = 2')
    expect(xml({ größe: 1 })).toContain('<größe>1</größe>')
  })

  it('given rows of which some lack a cell, keep the table; given rows of little in common, a list', () => {
    expect(toon([{ a: 1, b: 2 }, { b: 3 }])).toBe('x[2]{a,b}:\n  1,2\n  null,3')
    expect(toon([{ a: 1 }, { b: 2 }])).toBe('x[2]{a,b}:\n  1,null\n  null,2')
    expect(toon([{ a: 1, b: 2, c: 3 }, { d: 1 }, { e: 1 }])).toBe(
      'x[3]:\n  - a: 1\n    b: 2\n    c: 3\n  - d: 1\n  - e: 1',
    )
  })
})
