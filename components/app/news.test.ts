import { expect, test } from 'vitest'
import { markedTitle, newsOf, readNews, writeNews } from './news'

test('given news, when they are stored and read, then they are the same', () => {
  const news = new Set(['a', 'b'])
  expect(readNews(writeNews(news) ?? '')).toEqual(news)
  expect(writeNews(new Set())).toBeNull()
})

test.each(['', 'not JSON', '{}', '[["a","ended"],1]'])(
  'given %s in the store, then there is no news',
  (text) => {
    expect(readNews(text).size).toBe(0)
  },
)

test('given a title, when there is news and when it is read, then the mark comes once and goes', () => {
  const marked = markedTitle('A trip · Ramify', true)
  expect(marked).toBe('● A trip · Ramify')
  expect(markedTitle(marked, true)).toBe(marked)
  expect(markedTitle(marked, false)).toBe('A trip · Ramify')
})

const quiet = { replying: false, waits: false }
const writing = { ...quiet, replying: true }
const waiting = { ...quiet, waits: true }

test.each([
  ['a reply that goes on', writing, writing, null],
  ['a reply that begins', quiet, writing, null],
  ['a reply that ends', writing, quiet, 'ended'],
  ['a reply that ends with a tool that waits', writing, waiting, 'waits'],
  ['a tool that waits while another branch is written', writing, { ...writing, waits: true }, 'waits'],
  ['a tool that begins to wait', quiet, waiting, 'waits'],
  ['a tool that waits on', waiting, waiting, null],
  ['a tool that was answered', waiting, quiet, null],
  ['a chat that was not listed before', undefined, waiting, null],
] as const)('given %s, then its news is as it should be', (_, before, now, news) => {
  expect(newsOf(before, now)).toBe(news)
})
