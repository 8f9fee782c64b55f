import { describe, expect, it } from 'vitest'
import { fragment, guardrail, hint, memory, principle, role, term, workflow } from '@/lib/context/fragments'

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

  it('nest, children in order', () => {
    expect(fragment('database', 'text', hint('PostgreSQL 15'), null, fragment('empty'))).toStrictEqual({
      name: 'database',
      data: ['text', { name: 'hint', data: 'PostgreSQL 15' }, null, { name: 'empty', data: [] }],
    })
  })
})
