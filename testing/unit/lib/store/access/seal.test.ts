import { expect, it } from 'vitest'
import { createSeal } from '@/lib/store/access/seal'

const SECRET = 'a-secret-for-these-tests-and-nothing-else'
const bound = ['ada', 'openai', null] as const

const seal = createSeal(SECRET)
const sealed = seal.close('sk-ada-1234', bound)

it('given a sealed key, when it is opened for the same person and provider, then it is the key', () => {
  expect(seal.open(sealed, bound)).toBe('sk-ada-1234')
  expect(createSeal(SECRET).open(sealed, bound)).toBe('sk-ada-1234')
})

it('given a sealed key, then it does not show, and the same key seals to another text each time', () => {
  expect(sealed).not.toContain('ada')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('sk-ada')
  expect(seal.close('sk-ada-1234', bound)).not.toBe(sealed)
})

it.each([
  ['another person', ['bob', 'openai', null]],
  ['another provider', ['ada', 'anthropic', null]],
  ['another address', ['ada', 'openai', 'https://elsewhere.example/v1']],
  ['values that run together to the same text', ['adaopenai', '', null]],
])('given %s, when it is opened for it, then it stays closed', (_what, other) => {
  expect(seal.open(sealed, other)).toBeUndefined()
})

it('given another secret of the server, then it stays closed', () => {
  expect(createSeal(`${SECRET}!`).open(sealed, bound)).toBeUndefined()
})

it.each(['', 'x'.repeat(31)])('given the secret %j, easy to guess, then nothing is sealed', (short) => {
  expect(() => createSeal(short)).toThrow('32 characters')
})

it('given any character of it changed, cut off or added, then it stays closed', () => {
  const opened = [...sealed].flatMap((character, at) => {
    const other = character === 'A' ? 'B' : 'A'
    const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`
    // the last character of base64 may hold bits that mean nothing
    const isSame = Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))
    return isSame ? [] : [seal.open(changed, bound), seal.open(sealed.slice(0, at), bound)]
  })
  expect(opened.length).toBeGreaterThan(100)
  expect(opened.every((text) => text === undefined)).toBe(true)
})

it.each(['', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text'])('given %j, then it stays closed', (text) => {
  expect(seal.open(text, bound)).toBeUndefined()
})
