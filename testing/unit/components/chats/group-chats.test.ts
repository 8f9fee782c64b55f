import { expect, it } from 'vitest'
import { groupChats } from '@/components/chats/group-chats'
import { listedChat } from './listed-chat'

const now = new Date(2026, 4, 20, 9, 30)
const chat = (id: string, updated: Date, over = {}) =>
  listedChat(id, { updatedAt: updated.getTime(), ...over })
const chats = [
  chat('kept', new Date(2024, 1, 1), { pinnedAt: 1 }),
  chat('just now', now),
  chat('midnight', new Date(2026, 4, 20)),
  chat('late', new Date(2026, 4, 19, 23, 59)),
  chat('last week', new Date(2026, 4, 15)),
  chat('old', new Date(2025, 1, 1)),
]
const grouped = (query: Parameters<typeof groupChats>[1]) =>
  groupChats(chats, query, now).map(({ label, chats: inGroup }) => [label, inGroup.map(({ id }) => id)])

it('groups by the day of the last change, under the pinned ones, in the order of the list', () => {
  expect(grouped({ sort: 'updated', archived: false })).toEqual([
    ['Pinned', ['kept']],
    ['Today', ['just now', 'midnight']],
    ['Yesterday', ['late']],
    ['Last 7 days', ['last week']],
    ['Earlier', ['old']],
  ])
})

it('groups archived chats by their day alone, and a list by title not at all', () => {
  expect(grouped({ sort: 'updated', archived: true })[0]).toEqual(['Earlier', ['kept', 'old']])
  expect(grouped({ sort: 'title', archived: false }).map(([label]) => label)).toEqual(['Pinned', 'By title'])
})

it('without the day of the reader keeps the pinned ones apart, and the others in one group without a name', () => {
  const groups = groupChats(chats, { sort: 'updated', archived: false }, null)
  expect(groups.map(({ label, chats: inGroup }) => [label, inGroup.length])).toEqual([
    ['Pinned', 1],
    ['', 5],
  ])
})
