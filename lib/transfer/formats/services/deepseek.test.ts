import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

const node = (id: string, parent: string, message: object | null, children: string[] = []) => [
  id,
  { id, parent, children, message },
]
const chat = (...nodes: unknown[][]) => ({
  id: 'd',
  title: 'Deep',
  inserted_at: '2025-03-01T10:00:00+08:00',
  mapping: Object.fromEntries([node('root', '', null), ...nodes]),
})

test('given its own export, then fragments are thoughts and words, and two replies are branches', async () => {
  const { source, chat: read } = await readFixture('faults/07-deepseek-official.json')
  expect(source).toBe('deepseek')
  expect(drawn(read)).toEqual([
    'user: question',
    '  assistant: (thinking) answer one',
    '  assistant: answer two',
  ])
  expect(read.messages.map(({ model }) => model)).toEqual([null, 'deepseek-reasoner', 'deepseek-chat'])
  expect(read).toMatchObject({ currentId: '3', createdAt: new Date('2025-03-01T02:00:00Z'), problems: [] })
})

test('given an older export with content, then speakers take turns and pages of a search are sources', async () => {
  const search_results = [{ url: 'https://example.org', title: 'T' }]
  const read = await readChat(
    chat(
      node('1', 'root', { content: 'question' }, ['2']),
      node('2', '1', {
        content: 'answer',
        reasoning_content: 'hm',
        search_results,
        model: 'deepseek-reasoner',
      }),
      node('3', '2', { content: 'more' }),
    ),
  )
  expect(drawn(read)).toEqual(['user: question', '  assistant: (hm) answer', '    user: more'])
  expect(read.messages[1]?.parts.at(-1)).toMatchObject({
    type: 'source-url',
    url: 'https://example.org',
    title: 'T',
  })
  expect(read.problems).toEqual([])
})

test('given a fragment of an unknown kind, then it stays in the text and the report says so', async () => {
  const fragments = [{ type: 'SKETCH', content: 'a drawing of a boat' }]
  const read = await readChat(
    chat(
      node('1', 'root', { fragments: [{ type: 'REQUEST', content: 'draw' }] }),
      node('2', '1', { fragments }),
    ),
  )
  expect(drawn(read)[1]).toContain('a drawing of a boat')
  expect(read.problems).toEqual([
    '1 part is of a kind that is not known here. It is kept as JSON in the text.',
  ])
})

test('given a file of which a field holds words and is unknown, then the report names it', async () => {
  const message = {
    fragments: [{ type: 'REQUEST', content: 'hi' }],
    voice_note: { transcript: 'and good morning to you' },
  }
  const read = await readChat(chat(node('1', 'root', message)))
  expect(read.problems).toEqual([
    '1 text under “voice_note.transcript” is not brought: this field is not known here.',
  ])
})
