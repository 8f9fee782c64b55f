import { expect, test } from 'vitest'
import { isSeenAgain, isView } from '@/lib/server/pages/shared-views'

const person =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

test('given a browser that a person looks at, then its request is a view, and no fetch ahead is', () => {
  expect(isView(new Headers({ 'user-agent': person }))).toBe(true)
  expect(isView(new Headers({ 'user-agent': person, 'sec-purpose': 'prefetch;prerender' }))).toBe(false)
  expect(isView(new Headers({ 'user-agent': person, 'next-router-prefetch': '1' }))).toBe(false)
})

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1',
  'WhatsApp/2.23',
  'curl/8.5.0',
  '',
])('given the program %s, then its request is no view', (agent) => {
  expect(isView(new Headers({ 'user-agent': agent }))).toBe(false)
})

test('given a reader who opens a link again within half an hour, then it is one view', () => {
  const at = Date.now()
  expect(isSeenAgain('one', '192.0.2.1', at)).toBe(false)
  expect(isSeenAgain('one', '192.0.2.1', at + 60_000)).toBe(true)
  expect(isSeenAgain('two', '192.0.2.1', at + 60_000)).toBe(false)
  expect(isSeenAgain('one', '192.0.2.2', at + 60_000)).toBe(false)
  expect(isSeenAgain('one', '192.0.2.1', at + 40 * 60_000)).toBe(false)
})

test('given addresses that are not known, then every request is a view', () => {
  expect(isSeenAgain('three', 'unknown')).toBe(false)
  expect(isSeenAgain('three', 'unknown')).toBe(false)
})
