import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { convertReadableStreamToArray } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { withAddedParts } from './added-parts'

/** The parts of a reply that a provider streams in these chunks: those of words and calls by what they say. */
async function parts(...chunks: object[]): Promise<unknown[]> {
  const body = [...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join('')
  const fetch = async () =>
    new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  const model = createOpenAICompatible({ name: 'any', baseURL: 'http://x/v1', fetch })('m')
  const { stream } = await withAddedParts(model).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Draw' }] }],
  })
  return (await convertReadableStreamToArray(stream)).flatMap((part) => said(part))
}

function said(part: LanguageModelV4StreamPart): unknown[] {
  switch (part.type) {
    case 'text-delta':
      return [part.delta]
    case 'reasoning-delta':
      return [`(${part.delta})`]
    case 'file':
      return [{ file: part.mediaType, data: 'data' in part.data ? part.data.data : undefined }]
    case 'source':
      return [part.sourceType === 'url' ? { url: part.url, title: part.title } : part]
    case 'tool-call':
      return [part]
    default:
      return []
  }
}

const delta = (fields: object, beside: object = {}) => ({
  choices: [{ index: 0, delta: fields, finish_reason: null }],
  ...beside,
})
const png = 'data:image/png;base64,iVBORw0KGgo='
const picture = { file: 'image/png', data: 'iVBORw0KGgo=' }

describe('pictures in a reply', () => {
  it.each([
    [{ images: [{ type: 'image_url', image_url: { url: png } }] }],
    [{ images: [{ image_url: png }] }],
    [{ images: [{ url: png }, png] }],
    [{ images: [{ b64_json: 'iVBORw0KGgo=' }] }],
    [{ content: [{ type: 'image_url', image_url: { url: png } }] }],
    [{ images: [null, 7, {}, { image_url: { url: png } }] }],
  ])('given %j, then it is a file, once', async (fields) => {
    expect(await parts(delta({ content: 'Here:' }), delta(fields), delta(fields))).toEqual(['Here:', picture])
  })

  it('given one elsewhere, then it is a source, and not fetched', async () => {
    expect(await parts(delta({ images: [{ image_url: { url: 'https://x.org/cat.png' } }] }))).toEqual([
      { url: 'https://x.org/cat.png', title: 'Picture' },
    ])
  })

  it('given one that is too large, then it is left out', async () => {
    const large = `data:image/png;base64,${'A'.repeat(40_000_001)}`
    expect(await parts(delta({ content: 'Here:' }), delta({ images: [large] }))).toEqual(['Here:'])
  })
})

describe('sources of a reply', () => {
  const url = 'https://x.org/a'
  it.each([
    [
      'OpenRouter’s annotations',
      delta({ annotations: [{ type: 'url_citation', url_citation: { url, title: 'A' } }] }),
    ],
    ['OpenAI’s annotations', delta({ annotations: [{ type: 'url_citation', url, title: 'A' }] })],
    ['Mistral’s references', delta({ content: [{ type: 'tool_reference', tool: 'web', url, title: 'A' }] })],
    [
      'Perplexity’s results',
      delta({}, { citations: [url], search_results: [{ url, title: 'A', date: null }] }),
    ],
  ])('given %s, then each is below the words, once and with its title', async (_, chunk) => {
    expect(await parts(chunk, delta({ content: 'So.' }), chunk)).toEqual(['So.', { url, title: 'A' }])
  })

  it.each([
    [delta({ content: 'So.' }, { citations: [url, 'javascript:alert(1)', 'no address', null] })],
    [delta({ content: 'So.', citations: [{ url }] })],
  ])('given addresses alone, then those of pages are sources', async (chunk) => {
    expect(await parts(chunk)).toEqual(['So.', { url, title: undefined }])
  })

  it('given fields in another form, then the words are what counts', async () => {
    expect(await parts(delta({ content: 'So.', annotations: 'none', images: {} }, { citations: 7 }))).toEqual(
      ['So.'],
    )
  })
})

describe('thoughts of a reply', () => {
  it.each([
    ['text', [{ type: 'reasoning.text', text: 'Hm.', index: 0 }]],
    ['a summary', [{ type: 'reasoning.summary', summary: 'Hm.', index: 0 }]],
  ])('given details with %s, then they are thoughts', async (_, reasoning_details) => {
    expect(await parts(delta({ reasoning_details }), delta({ content: 'So.' }))).toEqual(['(Hm.)', 'So.'])
  })

  it('given details beside the same thoughts, then they are said once', async () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'Hm.', index: 0 }]
    expect(await parts(delta({ reasoning: 'Hm.', reasoning_details }), delta({ content: 'So.' }))).toEqual([
      '(Hm.)',
      'So.',
    ])
  })

  it.each([
    [{ type: 'thinking', thinking: 'Hm.' }],
    [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }],
    [{ type: 'reasoning', text: 'Hm.' }],
  ])('given a content with %j, then thoughts and words', async (thinking) => {
    const content = [thinking, { type: 'reference', reference_ids: [1] }, { type: 'text', text: 'So.' }]
    expect((await parts(delta({ content }))).join(' ')).toBe('(Hm.) So.')
  })

  it('given details and then a call, then they stand with the call, in whole', async () => {
    const tool = { index: 0, id: 'c1', function: { name: 'weather', arguments: '{}' } }
    const found = await parts(
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', text: '.', signature: 'abc', index: 0 }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1 }] }),
      delta({ tool_calls: [tool] }),
    )
    const reasoning_details = [
      { type: 'reasoning.text', text: 'Hm.', signature: 'abc', index: 0 },
      { type: 'reasoning.encrypted', data: 'xyz', index: 1 },
    ]
    expect(found.at(-1)).toMatchObject({
      toolName: 'weather',
      providerMetadata: { openrouter: { reasoning_details } },
    })
  })
})
