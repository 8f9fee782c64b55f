import { expect, it } from 'vitest'
import { groupChats } from '@/components/frame/group-chats'

const now = new Date(2026, 4, 20, 9, 30)
const chat = (id: string, updatedAt: Date) => ({
  id,
  title: id,
  updatedAt: updatedAt.getTime(),
  messageCount: 2,
  branchCount: 1,
})

it('groups by the day of the last write, newest first', () => {
  const groups = groupChats(
    [
      chat('old', new Date(2025, 1, 1)),
      chat('midnight', new Date(2026, 4, 20)),
      chat('late', new Date(2026, 4, 19, 23, 59)),
      chat('just now', now),
      chat('last week', new Date(2026, 4, 15)),
    ],
    now,
  )
  expect(groups.map(({ label, chats }) => [label, chats.map(({ id }) => id)])).toEqual([
    ['Today', ['just now', 'midnight']],
    ['Yesterday', ['late']],
    ['Last 7 days', ['last week']],
    ['Earlier', ['old']],
  ])
})
