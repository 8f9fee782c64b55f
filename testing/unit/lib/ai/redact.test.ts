import { expect, it } from 'vitest'
import { hideSecret, withoutSecrets } from '@/lib/ai/redact'

it('given keys of less than 16 characters, then texts keep the words they are', () => {
  for (const word of ['message', 'provider', 'fifteen-letters']) hideSecret(word)
  const text = 'The provider refused the message of fifteen-letters'
  expect(withoutSecrets(text)).toBe(text)
})

it('given a key of 16 characters, then it is hidden wherever it stands', () => {
  hideSecret('sixteen-letters-')
  expect(withoutSecrets('<sixteen-letters-> sixteen-letters-')).toBe('<[hidden]> [hidden]')
})

it.each([
  ['the-river-is-wide', 'the-river-is-wide-and-deep'],
  ['and-slow-the-river-was', 'the-river-was-as-slow', 'and-slow-the-river-was-as-slow'],
])('given a key that is a part of another, then nothing of the longer stays', (...keys) => {
  for (const key of keys) hideSecret(key)
  expect(withoutSecrets(`It was ${keys.at(-1)}.`)).toBe('It was [hidden].')
})
