import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const said = (id: string, role: string, content: string, more: object = {}) => ({
  id,
  role,
  content,
  sessionId: 's',
  ...more,
})
const backup = (messages: object[], more: object = {}) => ({
  exportType: 'sessions',
  state: {
    sessions: [{ id: 's', meta: { title: 'Lobe' }, config: { systemRole: 'Be brief.', model: 'm1' } }],
    topics: [],
    messages,
    ...more,
  },
  version: 7,
})

test('given its own backup, then a session is a chat with the models of its replies', async () => {
  const { source, chat } = await readFixture('formats/lobechat.json')
  expect(source).toBe('lobechat')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ id: 's', title: 'Lobe', currentId: '2', problems: [] })
  expect(chat.messages[1]?.model).toBe('model-j')
})

test('given topics, then each is a chat of its own with the name of its assistant as tag', async () => {
  const { chats } = await readAll(
    'lobe.json',
    JSON.stringify(
      backup([said('1', 'user', 'outside'), said('2', 'user', 'inside', { topicId: 't' })], {
        topics: [{ id: 't', title: 'Topic', sessionId: 's', favorite: true, createdAt: 1_736_789_912_980 }],
      }),
    ),
  )
  expect(chats.map(({ id, title, tags, isPinned }) => ({ id, title, tags, isPinned }))).toEqual([
    { id: 's', title: 'Lobe', tags: [], isPinned: false },
    { id: 't', title: 'Topic', tags: ['Lobe'], isPinned: true },
  ])
  expect(chats[1]).toMatchObject({ instructions: 'Be brief.', problems: [] })
})

test('given two replies and questions that name no parent, then replies are branches and the rest goes on', async () => {
  const chat = await readChat(
    backup(
      [
        said('1', 'user', 'question'),
        said('2', 'assistant', 'one', { parentId: '1' }),
        said('3', 'assistant', 'two', { parentId: '1' }),
        said('4', 'user', 'more'),
        said('5', 'user', 'aside', { threadId: 'th' }),
      ],
      { threads: [{ id: 'th', sourceMessageId: '2' }] },
    ),
  )
  expect(drawn(chat)).toEqual([
    'user: question',
    '  assistant: one',
    '    user: aside',
    '  assistant: two',
    '    user: more',
  ])
  expect(chat.problems).toEqual([])
})

test('given its database with thoughts, tools at the same time and sources, then they make one reply', async () => {
  const chat = await readChat({
    mode: 'pglite',
    schemaHash: 'abc',
    data: {
      sessions: [{ id: 's', title: 'Db' }],
      agents: [{ id: 'a', systemRole: 'You are a pirate.', model: 'm2' }],
      agentsToSessions: [{ agentId: 'a', sessionId: 's' }],
      messagePlugins: [
        { id: '3', toolCallId: 'c1' },
        { id: '4', toolCallId: 'c2' },
      ],
      messages: [
        said('1', 'user', 'question'),
        said('2', 'assistant', '', {
          parentId: '1',
          reasoning: { content: 'think', duration: 3 },
          tools: [
            { id: 'c1', identifier: 'web', apiName: 'search', arguments: '{"q":"a"}', type: 'builtin' },
            { id: 'c2', identifier: 'web', apiName: 'crawl', arguments: '{}', type: 'builtin' },
          ],
        }),
        said('3', 'tool', 'found it', { parentId: '2' }),
        said('4', 'tool', 'read it', { parentId: '2' }),
        said('5', 'assistant', 'answer', {
          parentId: '3',
          model: 'm3',
          search: { citations: [{ url: 'https://example.org', title: 'T' }] },
        }),
      ],
    },
  })
  expect(drawn(chat)).toEqual(['user: question', '  assistant: (think) web.search! web.crawl! answer'])
  expect(chat.messages[1]?.parts.filter(({ type }) => type === 'dynamic-tool')).toMatchObject([
    { toolCallId: 'c1', input: { q: 'a' }, output: 'found it' },
    { toolCallId: 'c2', output: 'read it' },
  ])
  expect(chat).toMatchObject({ title: 'Db', instructions: 'You are a pirate.', problems: [] })
  expect(chat.messages[1]?.model).toBe('m3')
})

test('given a reply to a message that is gone, then it follows the one before and the report says so', async () => {
  const chat = await readChat(
    backup([said('1', 'user', 'hi'), said('2', 'assistant', 'ho', { parentId: 'gone' })]),
  )
  expect(drawn(chat)).toEqual(['user: hi', '  assistant: ho'])
  expect(chat.problems).toEqual([
    'Some messages follow one that is deleted. Each follows the one before it in the file.',
  ])
})

test('given a translation of a reply, then the report names it', async () => {
  const translate = { from: 'en', to: 'de', content: 'guten Tag ihr alle' }
  const chat = await readChat(
    backup([said('1', 'user', 'hi'), said('2', 'assistant', 'hello', { translate })]),
  )
  expect(chat.problems).toEqual([
    '1 text under “translate.content” is not brought: this field is not known here.',
  ])
})
