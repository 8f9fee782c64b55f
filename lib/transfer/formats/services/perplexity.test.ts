import { expect, test } from 'vitest'
import { drawn, readChat, readFixture } from '@/testing/worlds/exported-files'

test('given its export, then the thread has its title, and an answer its pages', async () => {
  const { source, chat } = await readFixture('formats/perplexity.json')
  expect(source).toBe('perplexity')
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi'])
  expect(chat).toMatchObject({ id: 'p', title: 'Px', problems: [] })
  expect(chat.messages[1]).toMatchObject({ model: 'm', createdAt: new Date('2025-03-01T10:00:00Z') })
  expect(chat.messages[1]?.parts[1]).toMatchObject({ url: 'https://example.org/', title: 'T' })
})

test('given a thread as its page loads it, then blocks are its words, plan, searches and pages', async () => {
  const chat = await readChat({
    status: 'success',
    entries: [
      {
        uuid: 'e1',
        context_uuid: 'ctx',
        thread_title: 'Boats',
        thread_url_slug: 'boats-abc',
        query_str: 'do boats float',
        display_model: 'turbo',
        updated_datetime: '2025-03-01T10:00:00.000',
        blocks: [
          {
            intended_usage: 'plan',
            plan_block: {
              goals: [{ description: 'Looking for boats' }],
              steps: [
                {
                  step_type: 'SEARCH_WEB',
                  search_web_content: { queries: [{ engine: 'web', query: 'boats float' }] },
                },
                {
                  step_type: 'SEARCH_RESULTS',
                  web_results_content: { web_results: [{ url: 'https://example.org/b' }] },
                },
              ],
            },
          },
          {
            intended_usage: 'ask_text',
            markdown_block: { answer: 'They float.', chunks: ['They', ' float.'] },
          },
          {
            intended_usage: 'sources_answer_mode',
            sources_mode_block: { rows: [{ web_result: { name: 'B', url: 'https://example.org/b' } }] },
          },
        ],
      },
    ],
  })
  expect(drawn(chat)).toEqual([
    'user: do boats float',
    '  assistant: (Looking for boats) web_search! They float.',
  ])
  expect(chat).toMatchObject({
    id: 'ctx',
    title: 'Boats',
    origin: 'https://www.perplexity.ai/search/boats-abc',
  })
  expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ url: 'https://example.org/b', title: 'B' })
  expect(chat.problems).toEqual([])
})

test('given an older thread, then its steps are JSON in a text', async () => {
  const steps = [
    { step_type: 'INITIAL_QUERY', content: { query: 'hello' } },
    { step_type: 'FINAL', content: { answer: JSON.stringify({ answer: 'hi there', web_results: [] }) } },
  ]
  const chat = await readChat({ entries: [{ uuid: 'e', query_str: 'hello', text: JSON.stringify(steps) }] })
  expect(drawn(chat)).toEqual(['user: hello', '  assistant: hi there'])
})

test('given a question with a file and no answer yet, then the question stays', async () => {
  const chat = await readChat({
    entries: [{ uuid: 'e', query_str: 'look', blocks: [], attachments: ['https://example.org/a.pdf'] }],
  })
  expect(drawn(chat)).toEqual(['user: [File](https://example.org/a.pdf) look'])
})
