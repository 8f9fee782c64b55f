import { describe, expect, test } from 'vitest'
import { drawn, fixture, readFixture as only, readAll, readChat } from '@/testing/worlds/exported-files'
import { zipOf } from '@/testing/worlds/zip-file'

/** Messages of the file that the chat holds. */
const held = ({ messages }: { messages: readonly { held: number }[] }) =>
  messages.reduce((sum, message) => sum + message.held, 0)

describe('ChatGPT', () => {
  test('keeps every branch, with thoughts, code and its output in the reply they belong to', async () => {
    const { source, chats, chat } = await only('chatgpt.json')
    expect(source).toBe('chatgpt')
    expect(chats.map(({ title }) => title)).toEqual(['A boat for three', 'Loose ends'])
    expect(drawn(chat)).toEqual([
      'system: The user builds boats.\n\nAnswer in metres.',
      '  user: [File plan.pdf: not in the export] [Picture: not in the export] How long must it be?',
      '    assistant: About four metres.',
      '    assistant: (Weighing\n\nThree people weigh 240 kg.) (Thought for 4 seconds) python! [Picture: not in the export] Four metres ([boats.example](https://boats.example/length)).',
      '  user: How wide must it be?',
      '    assistant: One and a half metres.',
    ])
    expect(chat.counts).toEqual({ found: 10, skipped: 0, empty: 2 })
    expect(held(chat)).toBe(10)
  })

  test('keeps ids, times, models, the tool, what was open and how it was filed', async () => {
    const { chat } = await only('chatgpt.json')
    expect(chat).toMatchObject({ id: 'c-boat', isArchived: true, isPinned: true, currentId: 'n-answer-2' })
    expect(chat.createdAt).toEqual(new Date(1717245600250))
    expect(chat.updatedAt).toEqual(new Date(1717246800500))
    const reply = chat.messages.find(({ id }) => id === 'n-answer-2')
    expect(reply).toMatchObject({ parentId: 'n-ask', model: 'gpt-5-thinking', held: 5 })
    expect(reply?.parts.find(({ type }) => type === 'dynamic-tool')).toEqual({
      type: 'dynamic-tool',
      toolName: 'python',
      toolCallId: 'n-call',
      state: 'output-available',
      input: { code: 'print(240 / 60)' },
      output: '4.0',
    })
    expect(chat.messages.map(({ isHidden }) => isHidden)).toEqual([true, false, false, false, false, false])
    expect(chat.problems).toEqual([
      '3 files are named but are not part of the export. The text says where they were.',
    ])
  })

  test('says what is loose, round or unknown, and keeps it', async () => {
    const { chats, problems } = await only('chatgpt.json')
    const reason = 'The entry is no chat: it has no messages in a form that is known here. It is left out.'
    expect(problems).toEqual([{ chat: 'Nothing left of it', reason }])
    const loose = chats[1]
    expect(loose && drawn(loose)).toEqual([
      'user: Whose child am I?',
      'user: Round',
      '  assistant: and',
      '    assistant: ```json\n{\n  "content_type": "hologram",\n  "depth": 3\n}\n```',
    ])
    expect(loose).toMatchObject({ createdAt: null, updatedAt: null, currentId: 'd' })
    expect(loose?.problems).toEqual([
      '1 part is of a kind that is not known here. It is kept as JSON in the text.',
      '1 message has a role that is not known here. It is kept as a reply.',
      '2 times are none that can be read. They are left out.',
      '1 message hangs on a message that the file does not hold. It begins a branch of its own.',
      '1 message is its own ancestor. It begins a branch of its own, so the circle is cut.',
    ])
  })

  test('keeps a reply apart where another branches off in its middle', async () => {
    const node = (id: string, parent: string | null, message: object) =>
      [id, { id, parent, children: [], message }] as const
    const said = (role: string, words: string) => ({
      author: { role },
      content: { content_type: 'text', parts: [words] },
    })
    const thoughts = { content_type: 'thoughts', thoughts: [{ content: 'Hm' }] }
    const thought = { author: { role: 'assistant' }, content: thoughts }
    const call = { ...said('assistant', '{"query":"boat"}'), recipient: 'web' }
    const mapping = Object.fromEntries([
      node('u', null, said('user', 'Go')),
      node('t', 'u', thought),
      node('a', 't', call),
      node('b', 't', said('assistant', 'No tool')),
      node('a1', 'a', { ...said('tool', 'Found'), author: { role: 'tool', name: 'web.run' } }),
      node('a2', 'a1', said('assistant', 'Here it is')),
      node('a3', 'a2', said('assistant', 'And more')),
    ])
    const chat = await readChat([{ title: 'Tools', mapping, current_node: 'a1' }])
    expect(drawn(chat)).toEqual([
      'user: Go',
      '  assistant: (Hm)',
      '    assistant: web! Here it is',
      '      assistant: And more',
      '    assistant: No tool',
    ])
    const counted = chat.messages.map(({ id, held }) => `${id} ${held}`)
    expect(counted).toEqual(['u 1', 't 1', 'a2 3', 'a3 1', 'b 1'])
    expect(chat.currentId).toBe('a2')
  })

  test('finds pictures and attachments in the zip, and chats in all parts of it, in order', async () => {
    const [first] = JSON.parse(fixture('chatgpt.json').toString()) as unknown[]
    const part = (title: string) => ({ title, mapping: {}, conversation_id: title })
    const zip = zipOf([
      { name: 'export/chat.html', bytes: '<html><script>var jsonData = []</script></html>' },
      { name: 'export/conversations-010.json', bytes: JSON.stringify([part('third')]) },
      { name: 'export/conversations-002.json', bytes: JSON.stringify([part('second')]) },
      { name: 'export/conversations-001.json', bytes: JSON.stringify([first, part('first')]) },
      { name: 'export/user.json', bytes: '{"id":"user-1"}' },
      { name: 'export/shared_conversations.json', bytes: '[{"id":"s","title":"Shared"}]' },
      { name: 'export/file-Boat1-sketch.png', bytes: 'boat', isStored: true },
      { name: 'export/file-Plan2-plan.pdf', bytes: 'plan' },
      { name: 'export/dalle-generations/file-Plot3-a1b2.webp', bytes: 'plot' },
    ])
    const { chats } = await readAll('export.zip', zip)
    expect(chats.map(({ title }) => title)).toEqual(['A boat for three', 'first', 'second', 'third'])
    const files = chats[0]?.messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'file'))
    const file = (mediaType: string, filename: string, entry: string) => ({
      type: 'file',
      mediaType,
      filename,
      content: { entry: `export/${entry}` },
    })
    expect(files).toEqual([
      file('application/pdf', 'plan.pdf', 'file-Plan2-plan.pdf'),
      file('image/png', 'file-Boat1-sketch.png', 'file-Boat1-sketch.png'),
      file('image/webp', 'file-Plot3-a1b2.webp', 'dalle-generations/file-Plot3-a1b2.webp'),
    ])
    expect(chats[0]?.problems).toEqual([])
  })
})

describe('Claude', () => {
  test('keeps regenerations and edits, thoughts, tools and attachments', async () => {
    const { source, chat } = await only('claude.json')
    expect(source).toBe('claude')
    expect(drawn(chat)).toEqual([
      'user: <recipe.txt> [File loaf.jpg: not in the export] Why is my bread flat?',
      '  assistant: (Reading\n\nThe recipe has no yeast.) web_search! There is no yeast in it.',
      '    user: How much soda?',
      '      assistant: A teaspoon.',
      '    user: How much honey?',
      '  assistant: Try more water.',
    ])
    expect(chat.currentId).toBe('m5')
    expect(chat.counts).toEqual({ found: 7, empty: 0, skipped: 0 })
    expect(held(chat)).toBe(7)
    expect(chat.problems).toEqual([
      '1 file is named but is not part of the export. The text says where it was.',
      '1 message stands in the file a second time. It is kept once.',
      '1 message has the id of another, with other content. It is kept under a new id.',
    ])
    const searched = { input: { query: 'bread without yeast' }, output: 'Use baking soda.' }
    expect(chat.messages[1]?.parts[1]).toMatchObject(searched)
  })

  test('reads an export without parents one message after another, and says what was empty', async () => {
    const { chats } = await only('claude.json')
    expect(chats[1] && drawn(chats[1])).toEqual([
      'user: Hello',
      '  assistant: Good morning',
      '    assistant: Are you there?',
    ])
    const counts = { found: 4, skipped: 1, empty: 0 }
    expect(chats[1]).toMatchObject({ title: null, currentId: 'o4', counts })
    expect(chats[1]?.problems).toEqual([
      '1 message has no content. It is left out, and what follows hangs on the message before.',
    ])
  })
})

describe('Open WebUI', () => {
  test('keeps replies of several models, thoughts and tools in old and new form, files and links', async () => {
    const { source, chat, chats } = await only('open-webui.json')
    expect(source).toBe('open-webui')
    expect(drawn(chat)).toEqual([
      'user: <image/png> <log.txt> Is it windy?',
      '  assistant: (The log says 5.) get_wind! \nYes, 5 Bft.',
      '    user: And tomorrow?',
      '      assistant: (Forecast.) forecast! Tomorrow 6 Bft.',
      '  assistant: A little.',
    ])
    expect(chat).toMatchObject({
      title: 'Weather',
      instructions: 'You are a sailor.',
      isPinned: true,
      isArchived: false,
      tags: ['travel', 'sea'],
      currentId: 'w-a3',
      createdAt: new Date(1714000000000),
      counts: { found: 5, empty: 0, skipped: 0 },
    })
    expect(chat.messages[1]?.parts[1]).toMatchObject({ input: { place: 'Kiel' }, output: '5 Bft' })
    const forecast = { toolCallId: 'call_2', input: { day: 1 }, output: '6 Bft' }
    expect(chat.messages[3]?.parts[1]).toMatchObject(forecast)
    expect(chats[1] && drawn(chats[1])).toEqual(['user: Hi', '  assistant: Error: Model x not found'])
  })
})

describe('LibreChat', () => {
  test('keeps a flat export with its roots, tools and setting', async () => {
    const { source, chat } = await only('librechat.json')
    expect(source).toBe('librechat')
    expect(drawn(chat)).toEqual([
      'user: [Picture map.png: not in the export] Tell me a story',
      '  assistant: Once upon a time',
      '  assistant: (Something with a fox.) dictionary! There was a fox.',
      'user: Tell me a longer story',
      '  assistant: Long ago',
      'assistant: An answer to what was deleted',
    ])
    expect(chat).toMatchObject({ id: 'l-1', instructions: 'Tell it slowly.', currentId: 'l-a4' })
    expect(chat.messages[2]?.parts[1]).toMatchObject({ input: { word: 'fox' }, output: 'a small canine' })
    expect(held(chat)).toBe(6)
  })

  test('keeps messages that stand in each other', async () => {
    const { chat } = await only('librechat-recursive.json')
    expect(drawn(chat)).toEqual([
      'user: Activate it',
      '  assistant: How?',
      '    user: thanks',
      '    user: lol',
      '      assistant: Funny?',
    ])
  })
})

describe('a list of messages', () => {
  test('keeps thoughts that a model wrote into its words as thoughts, and a person’s own words as they are', async () => {
    const chat = await readChat([
      { role: 'user', content: 'What does <think> do?' },
      { role: 'assistant', content: '<think>\nThey ask.\n</think>\n\nIt begins `<think>` thoughts.' },
      { role: 'user', content: 'And its end?' },
      { role: 'assistant', content: 'They ask again.\n</think>\nIt ends them.' },
    ])
    expect(drawn(chat)).toEqual([
      'user: What does <think> do?',
      '  assistant: (They ask.) It begins `<think>` thoughts.',
      '    user: And its end?',
      '      assistant: (They ask again.) It ends them.',
    ])
  })
})
