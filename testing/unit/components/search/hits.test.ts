import { describe, expect, test } from 'vitest'
import { groupHits, snippetParts } from '@/components/search/hits'
import type { SearchHit } from '@/lib/graph'

const hit = (chatId: string, messageId: string, chatTitle: string | null = chatId): SearchHit => ({
  chatId,
  chatTitle,
  chatArchived: false,
  messageId,
  role: 'user',
  createdAt: 0,
  branch: null,
  rank: 1,
  snippet: '',
})

test('given hits of several chats, best first, then each chat comes once, in the order of its best', () => {
  const groups = groupHits([hit('lisbon', 'a'), hit('porto', 'b', null), hit('lisbon', 'c')])

  expect(groups.map(({ title, hits }) => `${title}: ${hits.map(({ messageId }) => messageId)}`)).toEqual([
    'lisbon: a,c',
    'Untitled chat: b',
  ])
})

const drawn = (html: string) =>
  snippetParts(html)
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join('')

describe('a snippet as plain text', () => {
  test.each([
    ['grilled <mark>sardines</mark>, loud', 'grilled [sardines], loud'],
    ['<mark>Rome</mark> and <mark>Roma</mark>', '[Rome] and [Roma]'],
    ['a &lt;b&gt;<mark>bold</mark>&lt;/b&gt; &amp;amp; plan', 'a <b>[bold]</b> &amp; plan'],
    ['&lt;mark&gt;fake&lt;/mark&gt; <mark>real</mark>', '<mark>fake</mark> [real]'],
    ['**<mark>Sintra</mark>**, on a weekday', '[Sintra], on a weekday'],
    ['a *<mark>tasca</mark>* and `code`', 'a [tasca] and code'],
    ['2 * 3 = <mark>6</mark>, snake_case', '2 * 3 = [6], snake_case'],
    ['## Day <mark>one</mark>\n\nIt begins', 'Day [one] It begins'],
    ['| When | <mark>What</mark> |\n|---|---|\n| 9:30 |', 'When · [What] · 9:30'],
    ['Go there:\n\n- by <mark>train</mark>\n- by bus', 'Go there: by [train] · by bus'],
    ['in it:\n\n| When | <mark>What</mark> |', 'in it: When · [What]'],
    ['', ''],
  ])('%j', (html, expected) => {
    expect(drawn(html)).toBe(expected)
  })
})
