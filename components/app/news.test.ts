import { expect, test } from 'vitest'
import { markedTitle, type News, readNews, writeNews } from './news'

test('given news, when they are stored and read, then they are the same', () => {
  const news: News = new Map([
    ['a', 'ended'],
    ['b', 'waits'],
  ])
  expect(readNews(writeNews(news) ?? '')).toEqual(news)
  expect(writeNews(new Map())).toBeNull()
})

test.each(['', 'not JSON', '{}', '[["a","gone"],"b",[1,"ended"]]'])(
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
