import { expect, test } from 'vitest'
import { offers } from '@/components/actions/action'
import { listedChatActions } from '@/components/actions/on-app'

const linksOf = (url: string | null) => {
  const chat = { pinnedAt: null, archivedAt: null, origin: url === null ? null : { source: 'chatgpt', url } }
  return offers(listedChatActions, { chat } as never)
    .map(({ label }) => label)
    .filter((label) => label.startsWith('Open'))
}

test('given an imported chat, then its menu leads to its address in its own program, if it has one', () => {
  expect(linksOf('https://chatgpt.com/c/1')).toEqual(['Open on chatgpt.com'])
  expect(linksOf('https://')).toEqual([])
  expect(linksOf(null)).toEqual([])
})
