import { describe, expect, it } from 'vitest'
import {
  alias,
  analogy,
  fragment,
  glossary,
  guardrail,
  hint,
  memory,
  policy,
  principle,
  role,
  structuredOutput,
  term,
  workflow,
} from '@/lib/context/fragments'
import { ToonRenderer, XmlRenderer } from '@/lib/context/renderers'

describe('helpers for context', () => {
  it('name their fragment after themselves and keep what they are given, without a trace of what was left out', () => {
    expect([
      role('You are helpful.'),
      hint('Be brief.'),
      term('MRR', 'monthly revenue'),
      guardrail({ rule: 'No PII' }),
      guardrail({ rule: 'No PII', reason: 'law', action: 'aggregate' }),
      workflow({ task: 'Report', steps: ['load', 'count'], notes: 'monthly' }),
      principle({ title: 'Honesty', description: 'Say what is unknown' }),
      memory('Called Devansh'),
      memory('Called Devansh', { id: 'mem-1' }),
    ]).toStrictEqual([
      { name: 'role', data: 'You are helpful.' },
      { name: 'hint', data: 'Be brief.' },
      { name: 'term', data: { name: 'MRR', definition: 'monthly revenue' } },
      { name: 'guardrail', data: { rule: 'No PII' } },
      { name: 'guardrail', data: { rule: 'No PII', reason: 'law', action: 'aggregate' } },
      { name: 'workflow', data: { task: 'Report', steps: ['load', 'count'], notes: 'monthly' } },
      { name: 'principle', data: { title: 'Honesty', description: 'Say what is unknown' } },
      { name: 'memory', data: 'Called Devansh' },
      { id: 'mem-1', name: 'memory', data: 'Called Devansh' },
    ])
  })

  it('given terms, policies, comparisons and schemas, keep all that they are given', () => {
    const schema = { type: 'object', properties: { 'net revenue': { type: 'number' } } }
    expect([
      glossary({ MRR: 'monthly', 'net revenue': 'after refunds' }),
      policy({ rule: 'Check', before: 'running', policies: ['first', policy({ rule: 'Ask' })] }),
      analogy({ concepts: ['index', 'register'], relationship: 'both point', pitfall: 'writes' }),
      alias('the big table', 'orders'),
      structuredOutput({ name: 'sums', schema }),
      structuredOutput({ description: 'a sum', schema }),
    ]).toStrictEqual([
      {
        name: 'glossary',
        data: [
          { term: 'MRR', definition: 'monthly' },
          { term: 'net revenue', definition: 'after refunds' },
        ],
      },
      {
        name: 'policy',
        data: {
          rule: 'Check',
          before: 'running',
          policies: ['first', { name: 'policy', data: { rule: 'Ask' } }],
        },
      },
      {
        name: 'analogy',
        data: { concepts: ['index', 'register'], relationship: 'both point', pitfall: 'writes' },
      },
      { name: 'alias', data: { term: 'the big table', meaning: 'orders' } },
      { name: 'structuredOutput', data: { name: 'sums', schema: JSON.stringify(schema) } },
      { name: 'structuredOutput', data: { description: 'a sum', schema: JSON.stringify(schema) } },
    ])
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
