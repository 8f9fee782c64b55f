import { describe, expect, test } from 'vitest'
import { emptyFragment, isName, kinds, shapeOf, withField } from '@/components/context/kinds'
import type { Parts } from '@/components/context/parts'
import { builtIns, withPreset } from '@/components/context/preset-content'
import { previewOf } from '@/components/context/preview'
import { settings, settingValue } from '@/components/context/settings'
import { role, serializeFragment, term } from '@/lib/context'
import { compilePrompt } from '@/lib/conversations/replies/prompt'
import { contextChange, presetContent } from '@/lib/protocol/context'

const fragment = (name: string, data: never) => ({ id: name, name, data, enabled: true })

describe('the shape of a fragment', () => {
  test('is text, the fields of its kind, or JSON for everything else', () => {
    expect(shapeOf({ name: 'anything', data: 'text' })).toEqual({ is: 'text', text: 'text' })
    expect(shapeOf({ name: 'term', data: { name: 'IC', definition: 'a train' } })).toMatchObject({
      is: 'fields',
      values: { name: 'IC', definition: 'a train' },
    })
    for (const data of [{ name: 'IC', more: 'x' }, { name: 1 }, ['a'], 7, null]) {
      expect(shapeOf({ name: 'term', data })).toEqual({ is: 'json' })
    }
    expect(shapeOf({ name: 'unknown', data: { a: 'b' } })).toEqual({ is: 'json' })
  })

  test('of each new fragment is one that its kind can edit', () => {
    for (const kind of kinds) {
      const { name, data } = emptyFragment(kind, 'id')
      expect(shapeOf({ name, data }).is).toBe(kind.fields ? 'fields' : 'text')
    }
  })

  test('keeps its fields in order, and leaves an empty optional one out', () => {
    const { fields = [] } = kinds.find(({ name }) => name === 'guardrail') ?? {}
    const full = withField(fields, { action: 'Ask', rule: 'Never' }, 'reason', 'Law')
    expect(Object.keys(full)).toEqual(['rule', 'reason', 'action'])
    expect(withField(fields, full, 'reason', '')).toEqual({ rule: 'Never', action: 'Ask' })
  })
})

test('a name that the panel takes is one that the server takes', () => {
  const server = (name: string) =>
    contextChange.safeParse({ expected_context_id: null, fragments: [{ name, data: '' }] }).success
  for (const name of ['role', 'Stil', 'größe', 'a.b-c_d', '1a', '', 'a b', '-a', 'x'.repeat(65), '<a>']) {
    expect([name, isName(name)]).toEqual([name, server(name)])
  }
})

test('a number counts in its range alone, and an empty field is the model’s choice', () => {
  const of = (key: string, text: string) => {
    const setting = settings.find((known) => known.key === key)
    return setting && settingValue(setting, text)
  }
  expect([of('temperature', ' '), of('temperature', '0,4'), of('temperature', '2.1')]).toEqual([
    ...[undefined, 0.4, null],
  ])
  expect([of('seed', '1.5'), of('seed', '-3'), of('top_p', 'x')]).toEqual([null, -3, null])
})

describe('the preview', () => {
  const parts = (renderer: Parts['renderer']): Parts => ({
    renderer,
    settings: {},
    tools: {},
    fragments: [
      fragment('role', 'Kind <b>' as never),
      { ...fragment('hint', 'off' as never), enabled: false },
      fragment('term', { name: 'IC', definition: 'a train' } as never),
    ],
    memories: [{ key: 'diet', text: 'vegetarian', message_id: null }],
  })

  test.each(['xml', 'markdown', 'toml', 'toon'] as const)('is what the model reads, in %s', (renderer) => {
    const stored = {
      fragments: [
        serializeFragment({ ...role('Kind <b>'), id: 'role' }),
        serializeFragment({ ...role('off'), id: 'hint' }),
        serializeFragment({ ...term('IC', 'a train'), id: 'term', metadata: { group: 'Trains' } }),
      ],
      setup: {
        ...(renderer !== 'xml' && { renderer }),
        memories: [{ key: 'diet', text: 'vegetarian', message_id: null }],
        off: ['hint'],
      },
    }
    const { text, problem } = previewOf(parts(renderer))
    expect(text).toBe(compilePrompt([], stored).instructions)
    expect([problem, text.includes('off')]).toEqual([null, false])
  })

  test('says why there is none', () => {
    const broken = fragment('hint', { $fragment: 1 } as never)
    expect(previewOf({ ...parts('xml'), fragments: [broken] }).problem).toMatch(/fragment/)
  })
})

test('built-in presets are presets, and each can be applied twice or added', () => {
  const here: Parts = { renderer: 'toml', settings: { seed: 1 }, memories: [], tools: {}, fragments: [] }
  let id = 0
  for (const { content } of builtIns) {
    expect(presetContent.safeParse(content).success).toBe(true)
    const once = { ...here, ...withPreset(here, content, 'replace', () => `f${id++}`) }
    const twice = { ...once, ...withPreset(once, content, 'add', () => `f${id++}`) }
    expect(twice.fragments).toHaveLength(content.fragments.length * 2)
    expect(new Set(twice.fragments.map((f) => f.id)).size).toBe(twice.fragments.length)
    expect(once.renderer).toBe('toml')
  }
})
