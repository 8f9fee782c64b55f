import { expect, it } from 'vitest'
import { drawn, readAll, readZip } from '@/testing/worlds/exported-files'

const info = {
  id: 'ses_a',
  directory: '/home/ada/trips',
  title: 'Mending',
  time: { created: 1795771068902, updated: 1795771118048 },
}
const says = (id: string, text: string) => ({
  info: { id, role: 'user', time: { created: 1795771072089 } },
  parts: [{ type: 'text', text }],
})
const replies = (id: string, ...parts: object[]) => ({
  info: {
    id,
    role: 'assistant',
    parentID: 'm1',
    modelID: 'gpt-5.6',
    finish: parts.some((part) => 'tool' in part) ? 'tool-calls' : 'stop',
    time: { created: 1795771072141 },
  },
  parts: [{ type: 'step-start', snapshot: 'c11e' }, ...parts, { type: 'step-finish', reason: 'stop' }],
})
const tool = (callID: string, name: string, state: object) => ({ type: 'tool', tool: name, callID, state })
const text = (words: string) => ({ type: 'text', text: words })

it('the steps of a reply are one message', async () => {
  const { source, chats } = await readAll(
    'a.json',
    JSON.stringify(
      {
        info,
        messages: [
          says('m1', 'mend it'),
          replies(
            'm2',
            { type: 'reasoning', text: 'Hm' },
            tool('c1', 'bash', { status: 'error', input: { command: 'x' }, error: 'gone' }),
          ),
          replies('m3', text('Done.')),
        ],
      },
      null,
      2,
    ),
  )
  expect(source).toBe('opencode')
  expect(chats[0]).toMatchObject({ id: 'ses_a', title: 'Mending', tags: ['trips'], problems: [] })
  expect(drawn(chats[0] as never)).toEqual(['user: mend it', '  assistant: (Hm) bash! Done.'])
  expect(chats[0]?.messages[1]).toMatchObject({
    model: 'gpt-5.6',
    parts: [{}, { errorText: 'gone' }, {}, {}],
  })
})

it('the session of a sub-agent hangs on its call, and a revert says where the session stands', async () => {
  const state = {
    status: 'completed',
    input: { prompt: 'look' },
    output: 'seen',
    metadata: { sessionId: 'ses_b' },
  }
  const main = {
    info: { ...info, revert: { messageID: 'm4' } },
    messages: [
      says('m1', 'ask'),
      replies('m2', tool('c1', 'task', state)),
      replies('m3', text('c')),
      says('m4', 'no'),
    ],
  }
  const agent = {
    info: { ...info, id: 'ses_b', parentID: 'ses_a', title: 'Find callers' },
    messages: [says('n1', 'look'), replies('n2', text('seen'))],
  }
  const { chats } = await readZip({ 'ses_a.json': JSON.stringify(main), 'ses_b.json': JSON.stringify(agent) })
  expect(chats).toHaveLength(1)
  expect(chats[0]).toMatchObject({
    currentId: 'm3',
    branches: [{ name: 'Find callers', headId: 'n2' }],
    problems: [],
  })
  expect(drawn(chats[0] as never)).toEqual([
    ...['user: ask', '  assistant: task!', '    assistant: c', '      user: no'],
    ...['    user: look', '      assistant: seen'],
  ])
})

it('a part of an unknown kind is kept as it is, an error is said, and a file stands in its message', async () => {
  const picture = { type: 'file', mime: 'image/png', filename: 'map.png', url: 'data:image/png;base64,aGk=' }
  const failed = {
    info: { id: 'm2', role: 'assistant', error: { name: 'APIError', data: { message: 'Overloaded' } } },
    parts: [{ type: 'hologram', words: 'a new kind of part' }],
  }
  const { chats } = await readAll(
    'a.json',
    JSON.stringify({ info, messages: [{ info: { id: 'm1', role: 'user' }, parts: [picture] }, failed] }),
  )
  expect(drawn(chats[0] as never)).toEqual([
    'user: <map.png>',
    '  assistant: {"type":"hologram","words":"a new kind of part"} Error: Overloaded',
  ])
  expect(chats[0]?.problems).toEqual([
    '1 part is of a kind that is not known here. It is kept as JSON in the text.',
  ])
})
