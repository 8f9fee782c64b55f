import { expect, test } from 'vitest'
import { drawn, readAll, readChat, readFixture } from '@/testing/worlds/exported-files'

const reply = (message_id: string, role: string, text: string, more: object = {}) => ({
  message_id,
  role,
  text,
  replies: [],
  ...more,
})

test('given a published tree, then replies are branches, read where they are ranked best', async () => {
  const { source, chat } = await readFixture('formats/oasst-tree.jsonl')
  expect(source).toBe('oasst')
  expect(drawn(chat)).toEqual(['user: question', '  assistant: answer one', '  assistant: answer two'])
  expect(chat).toMatchObject({ id: 'm1', currentId: 'm2', problems: [] })
  expect(chat.messages[0]?.createdAt).toEqual(new Date('2023-02-05T14:23:50.983Z'))
})

test('given a deeper tree whose best replies come last, then the current branch follows the ranks', async () => {
  const chat = await readChat({
    message_tree_id: 't',
    tree_state: 'ready_for_export',
    prompt: reply('1', 'prompter', 'question', {
      replies: [
        reply('2', 'assistant', 'worse', { rank: 1 }),
        reply('3', 'assistant', 'better', {
          rank: 0,
          model_name: 'm',
          replies: [reply('4', 'prompter', 'a', { rank: 2 }), reply('5', 'prompter', 'b', { rank: 1 })],
        }),
      ],
    }),
  })
  expect(drawn(chat)).toEqual([
    'user: question',
    '  assistant: worse',
    '  assistant: better',
    '    user: a',
    '    user: b',
  ])
  expect(chat).toMatchObject({ currentId: '5', problems: [] })
  expect(chat.messages[2]?.model).toBe('m')
})

test('given messages one a line, of two trees and in any order, then each tree is a chat', async () => {
  const line = (message_tree_id: string, message_id: string, parent_id: string | null, text: string) => ({
    message_id,
    parent_id,
    message_tree_id,
    text,
    role: parent_id === null ? 'prompter' : 'assistant',
    emojis: { name: ['+1'], count: [1] },
  })
  const { source, chats } = await readAll(
    'messages.jsonl',
    [line('a', '1', null, 'one'), line('b', '3', null, 'three'), line('a', '2', '1', 'two')]
      .map((value) => JSON.stringify(value))
      .join('\n'),
  )
  expect(source).toBe('oasst')
  expect(chats.map(drawn)).toEqual([['user: one', '  assistant: two'], ['user: three']])
  expect(chats.flatMap(({ problems }) => problems)).toEqual([])
})

test('given a reply that was deleted, then it is kept and hidden', async () => {
  const chat = await readChat({
    message_tree_id: 't',
    prompt: reply('1', 'prompter', 'question', {
      replies: [reply('2', 'assistant', 'gone', { deleted: true })],
    }),
  })
  expect(chat.messages.map(({ isHidden }) => isHidden)).toEqual([false, true])
})
