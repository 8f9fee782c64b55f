import { describe, expect, it } from 'vitest'
import * as fragments from '@/lib/context/fragments'
import { ToonRenderer, XmlRenderer } from '@/lib/context/renderers'

const { alias, analogy, fragment, glossary, guardrail, hint, memory, policy, principle, role } = fragments
const { structuredOutput, term, workflow } = fragments

describe('helpers for context', () => {
  const glossed = [
    { term: 'MRR', definition: 'monthly' },
    { term: 'net revenue', definition: 'after refunds' },
  ]
  const guarded = { rule: 'No PII', reason: 'law', action: 'aggregate' }
  const report = { task: 'Report', steps: ['load', 'count'], notes: 'monthly' }
  const honesty = { title: 'Honesty', description: 'Say what is unknown' }
  const compared = { concepts: ['index', 'register'], relationship: 'both point', pitfall: 'writes' }
  const nested = { rule: 'Check', before: 'running', policies: ['first', policy({ rule: 'Ask' })] }
  const asks = { ...nested, policies: ['first', { name: 'policy', data: { rule: 'Ask' } }] }
  const schema = { type: 'object', properties: { 'net revenue': { type: 'number' } } }
  const [named, described] = [{ name: 'sums' }, { description: 'a sum' }]
  const printed = JSON.stringify(schema)
  it.each([
    ['role', role('You are helpful.'), 'You are helpful.'],
    ['hint', hint('Be brief.'), 'Be brief.'],
    ['term', term('MRR', 'monthly revenue'), { name: 'MRR', definition: 'monthly revenue' }],
    ['guardrail', guardrail({ rule: 'No PII' }), { rule: 'No PII' }],
    ['guardrail', guardrail(guarded), guarded],
    ['workflow', workflow(report), report],
    ['principle', principle(honesty), honesty],
    ['memory', memory('Called Devansh'), 'Called Devansh'],
    ['glossary', glossary({ MRR: 'monthly', 'net revenue': 'after refunds' }), glossed],
    ['policy', policy(nested), asks],
    ['analogy', analogy(compared), compared],
    ['alias', alias('the big table', 'orders'), { term: 'the big table', meaning: 'orders' }],
    ['structuredOutput', structuredOutput({ ...named, schema }), { ...named, schema: printed }],
    ['structuredOutput', structuredOutput({ ...described, schema }), { ...described, schema: printed }],
  ])('%s: keep what they are given, without a trace of what was left out', (name, given, data) => {
    expect(given).toStrictEqual({ name, data })
  })

  it('given an id, keep it', () => {
    const { id, ...rest } = memory('Called Devansh', { id: 'mem-1' })
    expect([id, rest]).toStrictEqual(['mem-1', memory('Called Devansh')])
  })

  it('given a glossary of one and policies within policies, print them whole', () => {
    expect(new ToonRenderer().render([glossary({ 'net revenue': 'after refunds' })])).toBe(
      'glossary[1]{term,definition}:\n  net revenue,after refunds',
    )
    expect(new XmlRenderer().render([policy({ rule: 'A', policies: ['B', policy({ rule: 'C' })] })])).toBe(
      '<policy>\n  <rule>A</rule>\n  <policies>\n    <policy>B</policy>\n    <policy>\n      <rule>C</rule>\n    </policy>\n  </policies>\n</policy>',
    )
  })

  it.each([['text'], [[1]], [new Map()], [null]])('given %j for a schema, refuse it', (schema) => {
    expect(() => structuredOutput({ schema: schema as object })).toThrow('A schema is a JSON object')
  })

  it('nest, children in order', () => {
    expect(fragment('database', 'text', hint('PostgreSQL 15'), null, fragment('empty'))).toStrictEqual({
      name: 'database',
      data: ['text', { name: 'hint', data: 'PostgreSQL 15' }, null, { name: 'empty', data: [] }],
    })
  })
})
