import { expect, test } from 'vitest'
import { drawn, readAll, readFixture } from '@/testing/worlds/exported-files'

test('given chats of BetterChatGPT, then each has its folder, its system prompt and its model', async () => {
  const { source, chat, notes } = await readFixture('formats/betterchatgpt.json')
  expect(source).toBe('messages')
  expect(drawn(chat)).toEqual(['system: S', '  user: hello', '    assistant: hi'])
  expect(chat).toMatchObject({ id: 'b1', title: 'Better', tags: ['F'], problems: [] })
  expect(chat.messages[2]?.model).toBe('model-d')
  expect(notes).toEqual([])
})

test('given chats of BetterChatGPT as a bare list, in folders by id or without one, then they are read too', async () => {
  const messages = [{ role: 'user', content: 'hello' }]
  const chat = (id: string, more: object) => ({
    id,
    title: id,
    messages,
    config: { model: 'm' },
    titleSet: true,
    ...more,
  })
  const bare = await readAll('list.json', JSON.stringify([chat('a', {}), chat('b', {})]))
  expect(bare.chats.map(({ title }) => title)).toEqual(['a', 'b'])
  const folders = { f1: { id: 'f1', name: 'Fun', expanded: true } }
  const inside = await readAll(
    'all.json',
    JSON.stringify({ chats: [chat('c', { folder: 'f1' })], folders, version: 1 }),
  )
  expect(inside.chats.map(({ tags }) => tags)).toEqual([['Fun']])
})

test('given chats of chatbot-ui, then the prompt, the model and the folder are kept', async () => {
  const { chat, notes } = await readFixture('formats/chatbot-ui.json')
  expect(drawn(chat)).toEqual(['system: You are a pirate.', '  user: hello', '    assistant: hi'])
  expect(chat).toMatchObject({ id: 'h1', title: 'Greeting', tags: ['Fun'], problems: [] })
  expect(chat.messages[2]?.model).toBe('model-c')
  expect(notes).toEqual([])
})

test('given saved prompts beside the chats of chatbot-ui, then the report names them', async () => {
  const history = [
    { id: 'h', name: 'H', messages: [{ role: 'user', content: 'hello' }], model: { id: 'm' }, prompt: '' },
  ]
  const prompts = [{ id: 'p', name: 'Pirate', content: 'Talk like a pirate.' }]
  const { chats, notes } = await readAll(
    'all.json',
    JSON.stringify({ version: 4, history, folders: [], prompts }),
  )
  expect(chats.map(drawn)).toEqual([['user: hello']])
  expect(notes.map(({ reason }) => reason)).toEqual([
    '1 text under “prompts.content” is not brought: this field is not known here.',
  ])
})

test('given lines for fine-tuning, then each is a chat, and a weight is told', async () => {
  const { source, chats } = await readFixture('formats/finetune.jsonl')
  expect(source).toBe('messages')
  expect(chats.map(drawn)).toEqual([
    ['system: S', '  user: hello', '    assistant: hi'],
    ['user: hello', '  assistant: f! two'],
  ])
  expect(chats[0]?.problems).toEqual([
    '1 reply is marked as none to be trained on (weight 0). It is brought without the mark.',
  ])
  expect(chats[1]?.messages[1]?.parts[0]).toMatchObject({ input: { a: 1 }, output: '2' })
})
