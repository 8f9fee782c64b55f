import { expect, it } from 'vitest'
import { hideSecret, redact, withoutSecrets } from '@/lib/ai/redact'

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

it.each([
  'max_tokens: 4096 is more than 2048',
  'Bearer token is missing',
  'The key-value store and key_path are full',
  'Unexpected token: comma',
  'llama-4-maverick-17b-128e-instruct is not loaded',
  'Try accounts/fireworks/models/llama instead',
])('given the ordinary words "%s", then they stay', (text) => {
  expect(redact(text)).toBe(text)
})

it.each([
  'Bearer abcDEF123',
  'key-4f9a8b7c',
  'api_key=abcdef1234567890',
  'password: hunter2',
  'token: eyJhbGciOi9',
  '550e8400-e29b-41d4-a716-446655440000',
])('given the secret "%s", then it is hidden', (text) => {
  expect(redact(`It was ${text} here`)).toMatch(/^It was (?:\w+ )?\[hidden\] here$/)
})
