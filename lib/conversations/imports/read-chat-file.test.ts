import { expect, it } from 'vitest'
import { readChatFile } from './read-chat-file'

it('given a chat file nested deeper than anything is stored, then it is refused, and the words say why', () => {
  let deep: unknown = 'bottom'
  for (let level = 0; level < 80; level++) deep = [deep]
  const file = { format: 'ramify.chat', version: 1, chat: deep }
  expect(() => readChatFile(file)).toThrow(/^The file of this chat cannot be stored: .*nested deeper than 64/)
})
