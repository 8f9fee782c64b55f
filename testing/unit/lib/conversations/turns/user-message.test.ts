import { expect, it } from 'vitest'
import { InvalidRequestError, parseUserMessage } from '@/lib/conversations'

const said = (...texts: string[]) => ({
  id: 'q1',
  role: 'user',
  parts: texts.map((text) => ({ type: 'text', text })),
})

it.each([
  ['nothing', said('')],
  ['white space', said(' \n\t ')],
  ['100,001 characters', said('x'.repeat(100_000), 'y')],
  ['NUL', said('a\0b')],
  ['a lone surrogate', said('a\ud800')],
  ['1,001 parts', said(...Array.from({ length: 1001 }, () => 'x'))],
  ['another role', { ...said('Hello'), role: 'system' }],
  ['another form', { id: 'q1', role: 'user' }],
])('given a message of %s, then it is refused in words', (_what, message) => {
  expect(() => parseUserMessage(message)).toThrow(InvalidRequestError)
})

it('given a message of 100,000 characters, then it is taken as it is', () => {
  const message = said('x'.repeat(99_999), 'y')
  expect(parseUserMessage({ ...message, metadata: { forged: true } })).toEqual(message)
})
