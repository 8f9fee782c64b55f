import { expect, it } from 'vitest'
import { wordsAsked } from '@/lib/events/search-letters'
import { snippetOfMessage } from '@/lib/store/search/snippets'

const said = (text: string) => ({ id: 'a', role: 'assistant', parts: [{ type: 'text', text }] })

it('given a long message, then the snippet comes from where its longest word is found as a word', () => {
  const text = `${'unferried lorem '.repeat(1500)}in the harbour a Ferry waits${' ipsum'.repeat(5000)}`
  expect(snippetOfMessage(said(text), ['a', 'ferry'])).toContain('<mark>a</mark> <mark>Ferry</mark> waits')
})

it('given words that are punctuation to a regular expression, then they are taken as they are', () => {
  const text = `${'lorem ipsum '.repeat(1000)}mail a.b+c@example.org today`
  expect(snippetOfMessage(said(text), wordsAsked('a.b+c@example.org'))).toContain('today')
})

it('given a word beyond what is searched, then the snippet is the beginning', () => {
  const text = `begin ${'x '.repeat(60_000)}ferry`
  expect(snippetOfMessage(said(text), ['ferry'])).toMatch(/^begin x/)
})
