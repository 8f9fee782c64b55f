import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accountMark, audit } from '@/lib/runtime/audit'

const lines: string[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => vi.restoreAllMocks())
const last = () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>

it('given a fact, then it is one line of JSON with its name and its time first, and nothing that is not known', () => {
  audit('key_made', { person: 'ada', address: '192.0.2.1', credential: 'session', key: undefined })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^\{"audit":"key_made","at":"\d{4}-\d\d-\d\dT[\d:.]+Z","person":"ada","address":"192\.0\.2\.1","credential":"session"\}$/,
  )
})

it('given values that hold line breaks, escapes of a terminal or other directions, then the line stays one line of plain characters', () => {
  const value = 'a\n{"audit":"sign_in"}\r\u0000\u001b[2J\u009b2J\u2028\u202e\u200b\u{e0041}\ud800'
  audit('sign_in_failed', { name: value })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(last().name).toBe(value)
})

it('given a value of a megabyte and a hundred values, then the line is bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, 'x'.repeat(1_000_000)]))
  audit('access_refused', many)
  expect(lines[0]?.length).toBeLessThan(5000)
})

it('given an e-mail address, then a short hash stands for it, the same in whatever case', () => {
  audit('sign_in_failed', { email: 'Ada@Example.org', said: 'no account for ada@example.org' })
  expect(lines[0]).not.toMatch(/example\.org/i)
  const email = `email:${accountMark('ada@example.org')}`
  expect(last()).toMatchObject({ email, said: `no account for ${email}` })
})

it('given a key, then it is left out', () => {
  const sent = 'Bearer rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'
  audit('access_refused', { sent, also: 'rk_4fZ8qXn0' })
  expect(lines[0]).not.toContain('4fZ8q')
})

it('given a field named as those of every line, then it does not take their place', () => {
  audit('access_refused', { audit: 'sign_in', at: 'never' })
  expect(last().audit).toBe('access_refused')
  expect(last().at).not.toBe('never')
})
