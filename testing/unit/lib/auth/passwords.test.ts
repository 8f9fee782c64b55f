import { expect, test } from 'vitest'
import { LONGEST_PASSWORD, weaknessOf } from '@/lib/auth/passwords'
import { cpuTime } from '@/testing/worlds/cpu-time'

test.each([
  ['short', 'ab3$kx9Lq'],
  ['a common word with digits', 'password123'],
  ['a common word disguised', 'P@ssw0rd!!'],
  ['a common word and a year', 'Welcome2026!'],
  ['two common words', 'iloveyouprincess'],
  ['one word twice', 'passwordpassword'],
  ['digits only', '1234567890'],
  ['digits in no order', '8361940275'],
  ['digits backwards', '9876543210'],
  ['a run of the keyboard', 'qwertyuiop'],
  ['a run down the keyboard', '1qaz2wsx3edc'],
  ['a German keyboard', 'qwertz123456'],
  ['the alphabet', 'abcdefghijkl'],
  ['one letter', 'aaaaaaaaaaaa'],
  ['one piece again and again', 'abababababab'],
  ['a word with signs between', 'p.a.s.s.w.o.r.d'],
  ['the season', 'Summer2026!!'],
  ['a word and a run', 'dragon123456'],
  ['letters of full width', 'ｐａｓｓｗｏｒｄ１２'],
])('given a password that is guessed early: %s, then it is refused with a sentence', (_what, password) => {
  expect(weaknessOf(password)).toMatch(/^(A|This) password .*\.$/)
})

test.each([
  ['the local part of the address', 'adalovelace99', { email: 'adalovelace@example.org' }],
  ['parts of the address', 'lovelace-ada-1', { email: 'ada.lovelace@example.org' }],
  ['the name', 'Gravelotte1815!', { email: 'x@example.org', name: 'Ada Gravelotte' }],
])('given a password of %s, then it is refused for that account, and no other', (_what, password, own) => {
  expect(weaknessOf(password, own)).toContain('your name or e-mail')
  expect(weaknessOf(password, { email: 'grace@example.org', name: 'Grace' })).toBeUndefined()
})

test.each([
  'correct horse battery staple',
  'vT7#kq9ZpLw2',
  'mein kater schnarcht laut',
  'ヒマワリと青い自転車と雨',
  'gravel-otter-mimic',
  'zebrafencelantern',
])('given the password %j, then it will do', (password) => {
  expect(weaknessOf(password, { email: 'ada@example.org', name: 'Ada' })).toBeUndefined()
})

test('given a password longer than any needs to be, then it is refused, and in no time', () => {
  const worked = cpuTime()
  expect(weaknessOf('a1'.repeat(5000))).toContain(String(LONGEST_PASSWORD))
  expect(weaknessOf('ab'.repeat(64))).toBeDefined()
  expect(weaknessOf('abc'.repeat(42))).toBeDefined()
  expect(worked()).toBeLessThan(500)
})
