import { describe, expect, test } from 'vitest'
import { drawn, fixture, readFixture as only, readAll } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

describe('SillyTavern', () => {
  test('keeps every swipe as a version, and goes on from the one that is shown', async () => {
    const { source, chat } = await only('sillytavern.jsonl')
    expect(source).toBe('sillytavern')
    expect(drawn(chat)).toEqual([
      'assistant: Welcome aboard.',
      '  user: Where do we sail?',
      '    assistant: South.',
      '    assistant: (The wind is from the south.) North.',
      '      system: Night falls.',
      'assistant: Who goes there?',
    ])
    expect(chat).toMatchObject({ id: 'st-1', tags: ['Captain'], createdAt: new Date('2024-03-02T10:00:00Z') })
    expect(chat.messages.map(({ createdAt }) => createdAt?.toISOString().slice(11, 19))).toEqual([
      ...['10:00:00', '10:01:00', '10:02:00', '10:02:30', '10:03:00', '10:00:00'],
    ])
    expect(chat.messages[3]?.model).toBe('mistral-7b')
    expect(chat.problems).toEqual([])
  })

  test('lays the file of a branch over the chat it was made from', async () => {
    const zip = zipOf([
      { name: 'Captain/sillytavern-branch.jsonl', bytes: fixture('sillytavern-branch.jsonl') },
      { name: 'Captain/sillytavern.jsonl', bytes: fixture('sillytavern.jsonl') },
    ])
    const { chats } = await readAll('Captain.zip', zip)
    expect(chats).toHaveLength(1)
    const [chat] = chats
    expect(chat && drawn(chat).slice(2, 6)).toEqual([
      '    assistant: South.',
      '    assistant: (The wind is from the south.) North.',
      '      system: Night falls.',
      '    assistant: Nowhere, the sails are torn.',
    ])
    expect(chat?.branches.map(({ name }) => name)).toEqual(['sillytavern', 'sillytavern-branch'])
    expect(chat?.id).toBe('st-1')
  })
})

describe('llama.cpp', () => {
  test('keeps its lines: system prompt, versions, thoughts, tools and files', async () => {
    const { source, chat } = await only('llama-cpp.jsonl')
    expect(source).toBe('llama.cpp')
    expect(drawn(chat)).toEqual([
      'system: Be brief.',
      '  user: <clock.png> <zone.txt> What time is it?',
      '    assistant: Late.',
      '    assistant: (A tool knows.) get_time! It is 15:00.',
    ])
    expect(chat).toMatchObject({ id: 'll-1', title: 'Time', currentId: 'll-a3' })
    expect(chat.counts).toEqual({ found: 6, skipped: 0, empty: 1 })
    expect(chat.problems).toEqual([])
  })

  test('keeps the older form, where one JSON holds several chats', async () => {
    const message = (id: number, parent: number, role: string, content: string) => ({
      id,
      convId: 'conv-1',
      type: id === 1 ? 'root' : 'text',
      timestamp: 1740000000000 + id,
      role,
      content,
      parent,
      children: [],
    })
    const messages = [
      ...[message(1, -1, 'system', ''), message(2, 1, 'user', 'Hi'), message(3, 2, 'assistant', 'Hello')],
      ...[message(4, 1, 'user', 'Hey'), message(5, 4, 'assistant', 'Hey there')],
    ]
    const conv = { id: 'conv-1', name: 'Greetings', lastModified: 1740000009000, currNode: 5 }
    const chatsOf = ['conv-1', 'conv-2'].map((id) => ({ conv: { ...conv, id }, messages }))
    const { source, chats } = await readAll('all.json', JSON.stringify(chatsOf))
    expect([source, chats.length]).toEqual(['llama.cpp', 2])
    const lines = ['user: Hi', '  assistant: Hello', 'user: Hey', '  assistant: Hey there']
    expect(chats[0] && drawn(chats[0])).toEqual(lines)
    expect(chats[0]?.currentId).toBe('5')
  })
})

describe('LangGraph', () => {
  test('makes branches of the states that go on differently', async () => {
    const { source, chat } = await only('langgraph.json')
    expect(source).toBe('langgraph')
    const lines = ['user: Plan a trip', '  assistant: find_place! To Kiel.', '  assistant: To the hills.']
    expect(drawn(chat)).toEqual(lines)
    expect(chat).toMatchObject({
      id: 'thread-1',
      currentId: 'g5',
      createdAt: new Date('2025-06-01T12:00:00Z'),
      counts: { found: 5, empty: 0, skipped: 0 },
    })
    const models = chat.messages.map(({ id, model }) => `${id} ${model}`)
    expect(models).toEqual(['g1 null', 'g4 gpt-4o', 'g5 gpt-4o'])
    expect(chat.messages[0]?.createdAt).toEqual(new Date('2025-06-01T12:01:00Z'))
  })

  test('makes a chat of each thread', async () => {
    const state = (thread: string, content: string) => ({
      values: { messages: [{ type: 'human', content }] },
      checkpoint: { thread_id: thread, checkpoint_id: content },
    })
    const states = [state('t1', 'One'), state('t2', 'Two'), state('t2', 'Three')]
    const { chats } = await readAll('all.json', JSON.stringify(states))
    expect(chats.map((chat) => [chat.id, ...drawn(chat)])).toEqual([
      ['t1', 'user: One'],
      ['t2', 'user: Three', 'user: Two'],
    ])
  })

  test('keeps a message that was changed as an alternative, also out of serialised classes', async () => {
    const human = (content: string) => ({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content, id: 'h1' },
    })
    const state = (at: string, question: string, id: string, content: string) => ({
      values: { messages: [human(question), { type: 'ai', content, id }] },
      config: { configurable: { thread_id: 't' } },
      created_at: at,
    })
    const later = state('2025-01-01T00:02:00Z', 'Fly', 'a2', 'By plane.')
    const earlier = state('2025-01-01T00:01:00Z', 'Drive', 'a1', 'By car.')
    const { chats } = await readAll('history.json', JSON.stringify([later, earlier]))
    const lines = ['user: Drive', '  assistant: By car.', 'user: Fly', '  assistant: By plane.']
    expect(chats[0] && drawn(chats[0])).toEqual(lines)
  })
})

describe('plain lists of messages', () => {
  test('of OpenAI, one in each line; a broken line hides no other', async () => {
    const { source, chats, problems } = await readAll('openai.jsonl', fixture('openai.jsonl'))
    expect(source).toBe('messages')
    expect(chats.map(drawn)).toEqual([
      ['system: You are terse.', '  user: Weather in Paris?', '    assistant: get_weather! 18 C.'],
      ['user: What is this? <image/png>', '  assistant: A dot.'],
      ['user: Last'],
    ])
    expect(problems).toEqual([
      {
        chat: 'Chat 3 of openai.jsonl',
        reason: 'The entry is not valid JSON: it is broken at line 1, column 1. It is left out.',
      },
    ])
    expect(chats[0]?.counts.found).toBe(5)
  })

  test('are chats where each line is a list', async () => {
    const line = (words: string) => JSON.stringify([{ role: 'user', content: words }])
    const { chats } = await readAll('lists.jsonl', `${line('One')}\n${line('Two')}\n`)
    expect(chats.map(drawn)).toEqual([['user: One'], ['user: Two']])
  })

  test('of Anthropic, with the system prompt and answers of tools out of the messages of a person', async () => {
    const { chat } = await only('anthropic.json')
    expect(drawn(chat)).toEqual([
      'system: You like birds.',
      '  user: Which bird is it?',
      '    assistant: (I look it up.) One moment. find_bird! A robin.',
      '      user: <image/jpeg> And this?',
    ])
    expect(chat.messages[2]).toMatchObject({ model: 'claude-sonnet-4-5', held: 3 })
    expect(chat.messages[2]?.parts[2]).toMatchObject({ toolCallId: 'toolu_1', output: 'robin' })
  })

  test('of the AI SDK, with their parts', async () => {
    const { chat } = await only('ai-sdk.json')
    expect(drawn(chat)).toEqual([
      'user: Roll a die',
      '  assistant: (Fair die.) roll! You rolled 4.',
      '    user: <note.txt>',
    ])
    expect(chat.messages.map(({ id }) => id)).toEqual(['s1', 's2', 's3'])
    expect(chat.messages[0]?.createdAt).toEqual(new Date(1740000000000))
    expect(chat.messages[2]?.parts).toEqual([
      { type: 'file', mediaType: 'text/plain', filename: 'note.txt', content: { base64: 'aGk=' } },
    ])
  })

  test('get the same ids each time, and a longer list keeps those it had', async () => {
    const say = (role: string, content: string) => ({ role, content })
    const short = [say('user', 'One'), say('assistant', 'Two')]
    const [before, after] = await Promise.all(
      [short, [...short, say('user', 'Three')]].map(
        async (list) => (await readAll('list.json', JSON.stringify(list))).chats[0],
      ),
    )
    expect(after?.id).toBe(before?.id)
    expect(after?.messages.slice(0, 2)).toEqual(before?.messages)
  })
})
