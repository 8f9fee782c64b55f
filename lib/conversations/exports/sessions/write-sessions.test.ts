import { expect, it } from 'vitest'
import type { ChatMessage } from '@/lib/protocol'
import { ids as countedIds } from '@/testing/worlds/counted-ids'
import { drawn, readAll } from '@/testing/worlds/exported-files'
import { sessionSteps } from './session-steps'
import { claudeCodeSession, codexSession, piSession } from './write-sessions'

const AT = Date.UTC(2026, 2, 14, 9)
const ID = '01a21c4b-871a-74a2-94a3-f69b0894c1a9'

const message = (role: 'user' | 'assistant', parts: object[]) =>
  ({ id: 'x', role, parts, metadata: { createdAt: AT, model: 'gpt-5.5' } }) as unknown as ChatMessage
const text = (words: string) => ({ type: 'text', text: words })
const call = (toolCallId: string, toolName: string, input: object, rest: object) => ({
  type: 'dynamic-tool',
  toolCallId,
  toolName,
  input,
  ...rest,
})

const branch = [
  message('user', [
    text('mend it'),
    { type: 'file', filename: 'map.png', mediaType: 'image/png', url: '/x' },
  ]),
  message('assistant', [
    { type: 'reasoning', text: 'Hm' },
    text('I look.'),
    call('c.1', 'read', { path: 'a' }, { state: 'output-available', output: 'one' }),
    call('c.1', 'bash', { command: 'x' }, { state: 'output-error', errorText: 'gone' }),
    text('Done.'),
  ]),
  message('user', [text('and again')]),
]

it('a branch is the messages of an API: every call is answered before the next words', () => {
  const steps = sessionSteps(branch, AT)
  expect(
    steps.map(({ role, text, calls }) => [
      role,
      text,
      calls.map(({ id, output, failed }) => [id, output, failed]),
    ]),
  ).toEqual([
    ['user', 'mend it\n\n[file: map.png]', []],
    [
      'assistant',
      'I look.',
      [
        ['c_1', 'one', false],
        ['c_1_2', 'gone', true],
      ],
    ],
    ['assistant', 'Done.', []],
    ['user', 'and again', []],
  ])
})

it('a note that the agent added by itself is not said by the person', () => {
  const [asked] = branch as [ChatMessage]
  const note = { ...message('user', [text('task_reminder: {}')]), role: 'system' } as ChatMessage
  const hidden = { ...note, metadata: { ...note.metadata, hidden: 'user' } } as ChatMessage
  expect(sessionSteps([asked, hidden], AT).map(({ text }) => text)).toEqual(['mend it\n\n[file: map.png]'])
})

it.each([
  ['claude-code', claudeCodeSession],
  ['codex', codexSession],
  ['pi', piSession],
])('a written session of %s is read as the same branch', async (source, write) => {
  const steps = sessionSteps(branch, AT)
  const lines = write(steps, { id: ID, cwd: '/home/ada/trips', now: AT, newId: countedIds() })
  const read = await readAll(`${ID}.jsonl`, lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(read.source).toBe(source)
  const [chat] = read.chats
  expect(chat).toMatchObject({ id: ID, tags: ['trips'], problems: [] })
  expect(drawn(chat as never)).toEqual([
    'user: mend it\n\n[file: map.png]',
    '  assistant: I look. read! bash! Done.',
    '    user: and again',
  ])
  expect(chat?.messages[1]?.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
    { toolCallId: 'c_1', input: { path: 'a' } },
    { toolCallId: 'c_1_2', input: { command: 'x' } },
  ])
})

it('each line of a session of Claude Code names the one above, and results are the words of the person', () => {
  const lines = claudeCodeSession(sessionSteps(branch, AT), {
    id: ID,
    cwd: '/x',
    now: AT,
    newId: countedIds(),
  }) as {
    uuid: string
    parentUuid: string | null
    type: string
    sessionId: string
  }[]
  expect(lines.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([
    null,
    ...lines.slice(0, -1).map(({ uuid }) => uuid),
  ])
  expect(lines.every(({ sessionId }) => sessionId === ID)).toBe(true)
})

it('a tool of Codex that takes any text is called with that text', () => {
  const patched = message('assistant', [
    call('c1', 'apply_patch', { input: '*** Begin' }, { state: 'output-available', output: 'ok' }),
  ])
  const lines = codexSession(sessionSteps([patched], AT), { id: ID, cwd: '/x', now: AT, newId: countedIds() })
  expect(lines.slice(1)).toMatchObject([
    { payload: { type: 'custom_tool_call', input: '*** Begin', call_id: 'c1' } },
    { payload: { type: 'custom_tool_call_output', output: 'ok', call_id: 'c1' } },
  ])
})
