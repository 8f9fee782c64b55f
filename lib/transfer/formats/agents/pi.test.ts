import { expect, it } from 'vitest'
import { drawn, readAll, readZip } from '@/testing/worlds/exported-files'

const ID = '01a21c4d-0d51-7244-82f3-5ae9c9f42261'
const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
const at = '2026-03-14T09:00:00.000Z'
const header = { type: 'session', version: 3, id: ID, timestamp: at, cwd: '/home/ada/trips' }
const entry = (id: string, parentId: string | null, type: string, more: object) => ({
  type,
  id,
  parentId,
  timestamp: at,
  ...more,
})
const says = (id: string, parentId: string | null, text: string) =>
  entry(id, parentId, 'message', { message: { role: 'user', content: [{ type: 'text', text }] } })
const replies = (id: string, parentId: string, ...content: object[]) =>
  entry(id, parentId, 'message', { message: { role: 'assistant', model: 'gpt-5.5', content } })
const text = (words: string) => ({ type: 'text', text: words })

it('calls and results are one reply, and settings are no messages', async () => {
  const { source, chats } = await readAll(
    'a.jsonl',
    lines([
      header,
      entry('a', null, 'model_change', { provider: 'x', modelId: 'gpt-5.5' }),
      says('b', 'a', 'mend it'),
      replies(
        'c',
        'b',
        { type: 'thinking', thinking: 'Hm' },
        { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'false' } },
      ),
      entry('d', 'c', 'message', {
        message: {
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'bash',
          content: [text('code 1')],
          isError: true,
        },
      }),
      replies('e', 'd', text('Done.')),
      entry('f', 'e', 'session_info', { name: 'Mending' }),
    ]),
  )
  expect(source).toBe('pi')
  expect(chats[0]).toMatchObject({ id: ID, title: 'Mending', tags: ['trips'], problems: [], currentId: 'e' })
  expect(drawn(chats[0] as never)).toEqual(['user: mend it', '  assistant: (Hm) bash! Done.'])
  expect(chats[0]?.messages[1]?.parts[1]).toMatchObject({ state: 'output-error', errorText: 'code 1' })
})

it('going back is a branch with the summary of what was left; a label names a place', async () => {
  const { chats } = await readAll(
    'a.jsonl',
    lines([
      header,
      says('a', null, 'a'),
      replies('b', 'a', text('b')),
      says('c', 'b', 'first try'),
      entry('d', 'b', 'branch_summary', { fromId: 'c', summary: 'It failed.' }),
      says('e', 'd', 'second try'),
      entry('f', 'e', 'compaction', { summary: 'In short.', firstKeptEntryId: 'e', tokensBefore: 9 }),
      entry('g', 'f', 'message', {
        message: { role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 0 },
      }),
      entry('h', 'g', 'label', { targetId: 'b', label: 'good' }),
    ]),
  )
  expect(chats[0]).toMatchObject({ currentId: 'g', branches: [{ name: 'good', headId: 'b' }], problems: [] })
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: a', '  assistant: b', '    user: first try', '    user: It failed.', '      user: second try'],
    ...['        user: In short.', '          user: Ran `ls`\n```\na.ts\n```'],
  ])
})

it('a session of the first version has no ids, and a fork repeats what it left', async () => {
  const first = await readAll(
    'a.jsonl',
    lines([
      header,
      { type: 'message', message: { role: 'user', content: 'a' } },
      { type: 'message', message: { role: 'assistant', content: [text('b')] } },
    ]),
  )
  expect(drawn(first.chats[0] as never)).toEqual(['user: a', '  assistant: b'])
  const other = '01a21c4d-0d51-7244-82f3-5ae9c9f42262'
  const begun = [says('a', null, 'a'), replies('b', 'a', text('b'))]
  const { chats } = await readZip({
    [`1_${ID}.jsonl`]: lines([header, ...begun, says('c', 'b', 'on')]),
    [`2_${other}.jsonl`]: lines([
      { ...header, id: other, parentSession: `/x/1_${ID}.jsonl` },
      ...begun,
      says('d', 'b', 'off'),
    ]),
  })
  expect(chats).toHaveLength(1)
  expect(chats[0]).toMatchObject({
    id: ID,
    currentId: 'c',
    branches: [{ name: 'fork', headId: 'd' }],
    problems: [],
  })
})
