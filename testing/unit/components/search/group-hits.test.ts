import { expect, test } from 'vitest'
import { groupHits } from '@/components/search/hits'
import type { SearchHit } from '@/lib/graph'

const hit = (chatId: string, messageId: string, chatTitle: string | null = chatId): SearchHit => ({
  chatId,
  chatTitle,
  messageId,
  role: 'user',
  createdAt: 0,
  branch: null,
  rank: 1,
  snippet: '',
})

test('given hits of several chats, best first, then each chat comes once, in the order of its best', () => {
  const groups = groupHits([hit('lisbon', 'a'), hit('porto', 'b', null), hit('lisbon', 'c')])

  expect(groups.map(({ title, hits }) => `${title}: ${hits.map(({ messageId }) => messageId)}`)).toEqual([
    'lisbon: a,c',
    'Untitled chat: b',
  ])
})
