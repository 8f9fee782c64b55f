import { expect, test } from 'vitest'
import { readAll } from '@/testing/worlds/exported-files'

const activity = (html: string) =>
  JSON.stringify([
    { header: 'Gemini Apps', title: 'Prompted a', time: '2025-03-01T10:00:00Z', safeHtmlItem: [{ html }] },
  ])
const grok = (message: string) =>
  JSON.stringify({
    conversations: [{ conversation: { id: 'g' }, responses: [{ response: { sender: 'human', message } }] }],
  })
const csv = 'sender,text,isCreatedByUser,messageId,parentMessageId\n'
const much = 300_000

/** Forms that ask for time which is the square of their length. */
test.each<[string, string, string]>([
  ['elements that do not end', 'a.json', activity('<div>'.repeat(much))],
  ['tags that do not end', 'a.json', activity('<a '.repeat(much))],
  ['comments that do not end', 'a.json', activity('<!--'.repeat(much))],
  ['blanks in code', 'a.json', activity(`<pre>${' '.repeat(much)}x${'\n'.repeat(much)}x</pre>`)],
  [
    'a page of blanks',
    'a.html',
    `<div class="outer-cell mdl-cell">Gemini<div class="content-cell">${' '.repeat(much)}x`,
  ],
  ['marks that do not end', 'a.json', grok('<grok:render card_id="a">'.repeat(much / 10))],
  ['quotes in a table', 'a.csv', `${csv}"${'""'.repeat(much)}`],
  ['commas in a table', 'a.csv', `${csv}${','.repeat(much)}`],
  [
    'a text with many messages',
    'a.json',
    JSON.stringify({
      zed: 'context',
      text: 'a'.repeat(much),
      messages: Array.from({ length: 10_000 }, (_, at) => ({
        id: at,
        start: at,
        metadata: { role: 'user' },
      })),
    }),
  ],
])('%s are read in a time that their length says', async (_, name, bytes) => {
  const begin = process.cpuUsage()
  await readAll(name, bytes)
  const { user } = process.cpuUsage(begin)
  expect(user / 1e6).toBeLessThan(5)
})
