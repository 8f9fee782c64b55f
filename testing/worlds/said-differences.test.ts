import { describe, expect, test } from 'vitest'
import { type StoredChat, saidDifferences } from './said-differences'

const at = (second: number) => `2025-03-01T10:00:0${second}.000Z`
const said = [
  { id: 'u', parentId: null, role: 'user', content: 'Where to?', createdAt: at(1) },
  { id: 'a', parentId: 'u', role: 'assistant', content: 'North.', createdAt: at(2), model: 'm' },
  { id: 'b', parentId: 'u', role: 'assistant', content: 'South.', createdAt: at(3), model: 'm' },
]
const file = { id: 'c', createdAt: at(1), updatedAt: at(4), currentId: 'a', messages: said }
const stored = (change: (chat: StoredChat) => void = () => undefined): StoredChat => {
  const chat: StoredChat = {
    chat: { activeBranchId: 'main', createdAt: at(1), updatedAt: at(4) },
    contexts: [],
    branches: [{ id: 'main', headId: 'a' }],
    messages: said.map(({ id, parentId, role, content, createdAt, model = null }) => ({
      id,
      parentId,
      role,
      createdAt,
      model,
      data: { parts: [{ type: 'text', text: content }] },
    })),
    files: [],
  }
  change(chat)
  return chat
}
const message = (chat: StoredChat, at: number) => chat.messages[at] as StoredChat['messages'][number]

test('a chat that is stored as its file says has no differences', () => {
  expect(saidDifferences(file, [stored()])).toEqual([])
})

describe('the checker finds', () => {
  test.each<[string, (chat: StoredChat) => void, string]>([
    [
      'another role',
      (chat) => void Object.assign(message(chat, 1), { role: 'user' }),
      '“North.” is said by assistant, not user',
    ],
    [
      'another parent',
      (chat) => void Object.assign(message(chat, 2), { parentId: 'a' }),
      '“South.” does not follow “Where to?”',
    ],
    [
      'another date',
      (chat) => void Object.assign(message(chat, 0), { createdAt: at(9) }),
      '“Where to?” is of 1740823201000',
    ],
    [
      'another model',
      (chat) => void Object.assign(message(chat, 1), { model: 'n' }),
      '“North.” is by m, not n',
    ],
    ['a message that is lost', (chat) => void chat.messages.pop(), '“South.” is stored in no message'],
    [
      'another active branch',
      (chat) => void Object.assign(chat, { branches: [{ id: 'main', headId: 'b' }] }),
      'the active branch',
    ],
    [
      'another date of the chat',
      (chat) => void Object.assign(chat.chat, { updatedAt: at(9) }),
      'the chat was changed at',
    ],
  ])('%s', (_, change, words) => {
    expect(saidDifferences(file, [stored(change)]).join('\n')).toContain(words)
  })

  test('a picture that is lost', () => {
    const picture = `data:image/png;base64,${Buffer.from('a picture of forty bytes, and some more').toString('base64')}`
    const [asked, ...rest] = said
    const messages = [{ ...asked, content: [{ type: 'text', text: 'Where to?' }, { url: picture }] }, ...rest]
    expect(saidDifferences({ ...file, messages }, [stored()])).toEqual(['“Where to?” has lost a file'])
  })
})
