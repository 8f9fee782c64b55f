import { expect, it } from 'vitest'
import { readChat } from '@/testing/worlds/exported-files'

const chatgptMessage = {
  id: 'm',
  author: { role: 'user' },
  content: { content_type: 'text', parts: ['Hello'] },
}

it.each([
  [
    'ChatGPT',
    { conversation_id: 'c 1', mapping: { m: { id: 'm', parent: null, message: chatgptMessage } } },
    'https://chatgpt.com/c/c%201',
  ],
  [
    'ChatGPT without an id',
    { title: 'No id', mapping: { m: { id: 'm', parent: null, message: chatgptMessage } } },
    null,
  ],
  [
    'Claude',
    { uuid: 'u', chat_messages: [{ uuid: 'm', sender: 'human', text: 'Hello' }] },
    'https://claude.ai/chat/u',
  ],
  [
    'DeepSeek',
    {
      id: 'd',
      mapping: { m: { parent: null, message: { fragments: [{ type: 'REQUEST', content: 'Hello' }] } } },
    },
    'https://chat.deepseek.com/a/chat/s/d',
  ],
])('given a chat of %s, when it is read, then it keeps its address there', async (_, value, address) => {
  expect((await readChat([value])).origin).toBe(address)
})
