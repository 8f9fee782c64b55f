import { expect, test } from 'vitest'
import { digestOf, type MessageData, mergeText, transcriptOf } from '@/lib/context'

const message = (id: string, parts: unknown[] | string): MessageData => ({
  id,
  chatId: 'c',
  parentId: null,
  createdAt: 0,
  name: id.startsWith('a') ? 'assistant' : 'user',
  data: { id, parts: typeof parts === 'string' ? [{ type: 'text', text: parts }] : parts },
})

test('given messages, then their digest tells what was asked, answered, attached and found', () => {
  const { text, quotes } = digestOf(
    [
      message('q1', 'And Porto?'),
      message('a1', '**Three hours** by train.\n\nSeveral times a day.'),
      message('q2', [
        { type: 'text', text: 'Here is a map' },
        { type: 'file', filename: 'map.png' },
      ]),
      message('a2', [{ type: 'tool-calculator', output: { sum: 6 } }]),
    ],
    { added: ['Memory diet: Vegan'], removed: ['Fragment hint: Be brief'] },
  )

  expect(text).toBe(
    [
      '**Asked and answered**\n',
      '- “And Porto?”: Three hours by train. Several times a day.',
      '- “Here is a map”: calculator\n',
      '**Files**\n\n- map.png\n',
      '**Results of tools**\n\n- calculator: {"sum":6}\n',
      '**Context**\n\n- Added: Memory diet: Vegan\n- Removed: Fragment hint: Be brief',
    ].join('\n'),
  )
  expect(quotes[0]).toEqual({ messageId: 'a1', text: 'Three hours by train. Several times a day.' })
})

test('given very many turns, then the latest are told and the others counted', () => {
  const many = Array.from({ length: 200 }, (_, n) => [
    message(`q${n}`, `Ask ${n}`),
    message(`a${n}`, 'Yes. '.repeat(500)),
  ])
  const { text, quotes } = digestOf(many.flat())
  expect(text).toContain('140 earlier turns')
  expect(text).not.toContain('“Ask 139”')
  expect(text).toContain('“Ask 199”')
  expect(quotes).toHaveLength(60)
  expect(text.length).toBeLessThan(40_000)
})

test('given nothing, then there is nothing to tell', () => {
  expect(digestOf([])).toEqual({ text: '', quotes: [] })
})

test('a merge says in plain words what it is, and what counts where the two contradict each other', () => {
  const conflict = { about: 'Day two', source: 'The beach', target: 'Sintra' }
  const text = mergeText({
    source: 'beach-day',
    mode: 'brief',
    brief: 'Cascais by train.',
    conflicts: [
      { ...conflict, id: '1', resolution: 'source' },
      { ...conflict, id: '2', resolution: { text: 'Both' } },
      { ...conflict, id: '3', target: null },
    ],
  })
  expect(text).toBe(
    [
      'Merged from branch “beach-day”: what was decided, found and made there and is new here.',
      'Cascais by train.',
      '**Where the two contradicted each other**',
      [
        '- Day two: “Sintra” here, “The beach” on “beach-day”. What was said on “beach-day” counts.',
        '- Day two: “Sintra” here, “The beach” on “beach-day”. What counts is “Both”.',
        '- Day two: nothing here, “The beach” on “beach-day”. This is left open.',
      ].join('\n'),
    ].join('\n\n'),
  )
})

test('a transcript has every message with its id', () => {
  expect(transcriptOf([message('q1', 'And Porto?'), message('a1', 'Near.')])).toBe(
    '[q1] User: And Porto?\n\n[a1] Assistant: Near.',
  )
})
