import { expect, it } from 'vitest'
import { drawn, readAll, readZip } from '@/testing/worlds/exported-files'

const SESSION = '7801b8ed-252d-4174-8045-4bee94c511ae'
const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n')
let count = 0
const common = (uuid: string, parentUuid: string | null, more: object) => ({
  parentUuid,
  isSidechain: false,
  uuid,
  sessionId: SESSION,
  cwd: '/home/ada/trips',
  timestamp: new Date(Date.UTC(2026, 2, 14, 9, 0, count++)).toISOString(),
  ...more,
})
const says = (uuid: string, parent: string | null, content: unknown, more = {}) =>
  common(uuid, parent, { type: 'user', message: { role: 'user', content }, ...more })
const replies = (uuid: string, parent: string | null, id: string, block: object, more = {}) =>
  common(uuid, parent, {
    type: 'assistant',
    message: { id, role: 'assistant', model: 'claude-opus-4-8', content: [block] },
    ...more,
  })
const text = (words: string) => ({ type: 'text', text: words })
const call = (id: string, name: string, input = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown) => [{ type: 'tool_result', tool_use_id: id, content }]

it('a sample of the first versions has a title and a tree', async () => {
  const { source, chats } = await readAll(
    'a.jsonl',
    lines([
      { type: 'summary', summary: 'A session', leafUuid: '2' },
      says('1', null, 'hello'),
      replies('2', '1', 'msg', text('hi')),
    ]),
  )
  expect(source).toBe('claude-code')
  expect(chats[0]).toMatchObject({ id: SESSION, title: 'A session', tags: ['trips'], problems: [] })
  expect(drawn(chats[0] as never)).toEqual(['user: hello', '  assistant: hi'])
  expect(chats[0]?.messages[1]).toMatchObject({ model: 'claude-opus-4-8', createdAt: expect.any(Date) })
})

it('blocks of one reply, calls side by side and their results are one message', async () => {
  const { chats } = await readAll(
    `${SESSION}.jsonl`,
    lines([
      says('1', null, 'look'),
      replies('2', '1', 'm1', { type: 'thinking', thinking: 'Hm', signature: 'c2ln' }),
      replies('3', '2', 'm1', call('t1', 'Read', { path: 'a' })),
      replies('4', '3', 'm1', call('t2', 'Bash', { command: 'ls' })),
      // results hang on the line of their call, so that the lines fork where the conversation does not
      says('5', '3', result('t1', 'one')),
      says('6', '4', result('t2', 'two')),
      common('7', '6', {
        type: 'attachment',
        attachment: { type: 'skill_listing', content: '- verify: looks again at it' },
      }),
      replies('8', '7', 'm2', text('Both read.')),
    ]),
  )
  expect(chats[0]?.problems).toEqual([])
  expect(drawn(chats[0] as never)).toEqual(['user: look', '  assistant: (Hm) Read! Bash! Both read.'])
  expect(chats[0]?.messages[1]?.parts).toMatchObject([{}, { output: 'one' }, { output: 'two' }, {}, {}])
})

it('going back makes a branch, and the last words are where the session stands', async () => {
  const { chats } = await readAll(
    `${SESSION}.jsonl`,
    lines([
      says('1', null, 'a'),
      replies('2', '1', 'm1', text('b')),
      says('3', '2', 'first try'),
      replies('4', '3', 'm2', text('no')),
      says('5', '2', 'second try'),
      replies('6', '5', 'm3', text('yes')),
    ]),
  )
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: a', '  assistant: b', '    user: first try', '      assistant: no'],
    ...['    user: second try', '      assistant: yes'],
  ])
  expect(chats[0]?.currentId).toBe('6')
})

it('after a compaction the summary follows what it stands for; the words of the client are hidden', async () => {
  const { chats } = await readAll(
    `${SESSION}.jsonl`,
    lines([
      says('1', null, 'a'),
      replies('2', '1', 'm1', text('API Error: overloaded'), { isApiErrorMessage: true }),
      common('3', null, {
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        logicalParentUuid: '2',
      }),
      says('4', '3', 'In short: a.', { isCompactSummary: true }),
      says('5', '4', 'Continue from where you left off.', { isMeta: true }),
      common('6', '5', { type: 'attachment', attachment: { type: 'queued_command', prompt: 'and hurry' } }),
    ]),
  )
  const chat = chats[0] as never as (typeof chats)[number]
  expect(chat.problems).toEqual([])
  expect(
    chat.messages.map(({ parts: [part], isHidden }) => [part?.type === 'text' && part.text, isHidden]),
  ).toEqual([
    ['a', false],
    ['API Error: overloaded', false],
    ['Conversation compacted', true],
    ['In short: a.', false],
    ['Continue from where you left off.', true],
    ['and hurry', false],
  ])
  expect(chat.messages.map(({ parentId }) => parentId)).toEqual([null, '1', '2', '3', '4', '5'])
})

it('given what the client adds for its model, then it stands as that was read; lists of its tools and its requests do not', async () => {
  const rendered = (words: string) => [{ content: `<system-reminder>\n${words}\n</system-reminder>` }]
  const { chats } = await readAll(
    `${SESSION}.jsonl`,
    lines([
      says('1', null, 'Mend it'),
      common('2', '1', {
        type: 'attachment',
        attachment: { type: 'environment', snapshot: { workingDirectory: '/home/ada/work', shell: 'bash' } },
        rendered: rendered('You work in /home/ada/work with bash.'),
      }),
      common('3', '2', {
        type: 'attachment',
        attachment: { type: 'deferred_tools_delta', addedNames: ['WebSearch'] },
        rendered: rendered('These tools are available now: WebSearch'),
      }),
      {
        type: 'api-request-shape',
        sessionId: SESSION,
        shape: { tools: [{ description: 'Reads a file from the disk' }] },
      },
      {
        type: 'api-request-blob',
        sessionId: SESSION,
        message: { role: 'user', content: [{ type: 'text', text: 'You work in a folder. Mend it' }] },
      },
      common('4', '3', {
        type: 'attachment',
        attachment: { type: 'prompt_snapshot', systemPrompt: ['You mend.'] },
      }),
      common('5', '4', {
        type: 'system',
        subtype: 'api_error',
        error: { message: '529 Overloaded, for now' },
      }),
      replies('6', '5', 'm1', text('It is mended.')),
    ]),
  )
  expect(chats[0]?.problems).toEqual([])
  expect(drawn(chats[0] as never).join('\n')).toContain('You work in /home/ada/work with bash.')
  expect(drawn(chats[0] as never).join('\n')).not.toMatch(/WebSearch|You mend|529/)
})

it('a sub-agent, which has a file of its own, hangs on the call that began it', async () => {
  const side = { isSidechain: true, agentId: 'a1' }
  const main = lines([
    says('1', null, 'ask somebody'),
    replies('2', '1', 'm1', call('t1', 'Agent', { description: 'Find callers', prompt: 'Look for add' })),
    says('3', '2', result('t1', 'Found.'), { toolUseResult: { agentId: 'a1' } }),
    replies('4', '3', 'm2', text('All found.')),
  ])
  const agent = lines([
    says('s1', null, 'Look for add', side),
    replies('s2', 's1', 'n1', text('Found.'), side),
  ])
  const folder = 'projects/-home-ada-trips'
  const { chats, problems } = await readZip({
    [`${folder}/${SESSION}/subagents/agent-a1.jsonl`]: agent,
    [`${folder}/${SESSION}.jsonl`]: main,
  })
  expect(problems).toEqual([])
  expect(chats).toHaveLength(1)
  expect(chats[0]).toMatchObject({
    id: SESSION,
    currentId: '4',
    branches: [{ name: 'Find callers', headId: 's2' }],
  })
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: ask somebody', '  assistant: Agent!', '    assistant: All found.'],
    ...['    user: Look for add', '      assistant: Found.'],
  ])
  const alone = await readAll('agent-a1.jsonl', agent)
  expect(alone.chats[0]).toMatchObject({ id: `${SESSION}/a1`, branches: [], problems: [] })
})
