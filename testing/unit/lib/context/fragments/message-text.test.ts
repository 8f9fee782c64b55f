import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heldBy, messagePreview, messageText, promptText } from '@/lib/context/fragments'

const said = (text: string) => ({ id: 'm', role: 'user', parts: [{ type: 'text', text }] })
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const broken = Object.defineProperty({}, 'parts', {
  get: () => {
    throw new Error('no')
  },
})

describe('messageText', () => {
  it('given several parts, gives each text its own line and skips all others', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'hmm' },
      { type: 'file', mediaType: 'text/plain', url: 'x' },
      { type: 'text', text: 'b' },
    ]
    expect(messageText({ id: 'm', role: 'assistant', parts })).toBe('a\nb')
  })

  it.each([
    ['plain', 'plain'],
    [{ content: 'from content' }, 'from content'],
    [{ role: 'user', content: [{ type: 'text', text: 'model message' }] }, 'model message'],
    [{ text: 'from text' }, 'from text'],
    [{ amount: 3 }, '{"amount":3}'],
    [42, '42'],
    [null, ''],
    [undefined, ''],
    [{ parts: [] }, ''],
    [{ parts: [null, 'x', { type: 'text' }] }, ''],
    [cyclic, ''],
    [broken, ''],
  ])('given what may be no message, finds its text (%#)', (data, text) => {
    expect(messageText(data)).toBe(text)
  })
})

describe('promptText', () => {
  it('given thoughts, tools and files, then it is what a model reads of them, without thoughts and the bytes of files', () => {
    const call = { toolCallId: 'c', state: 'output-available', input: { q: 'tram' }, output: ['28'] }
    const failed = { toolCallId: 'd', state: 'output-error', input: {}, errorText: 'No.' }
    const parts = [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'tool-search', ...call },
      { type: 'dynamic-tool', toolName: 'map', ...failed },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
      { type: 'text', text: 'Take the 28.' },
    ]
    expect(promptText({ id: 'm', role: 'assistant', parts })).toBe(
      ['search', '{"q":"tram"}', '["28"]', 'map', '{}', '"No."', 'Take the 28.'].join('\n'),
    )
    expect(promptText('plain')).toBe('plain')
  })
})

describe('messagePreview', () => {
  it('given a message of tools and files alone, then it is called after them', () => {
    const parts = [
      { type: 'step-start' },
      { type: 'tool-search', toolCallId: 'c', state: 'input-available', input: {} },
      { type: 'file', mediaType: 'image/png', filename: 'my  photo.png', url: '/api/files/1' },
    ]
    expect(messagePreview({ id: 'm', role: 'assistant', parts })).toBe('search, my photo.png')
    expect(messagePreview({ id: 'm', role: 'assistant', parts: [null, { type: 'file' }] })).toBe('')
  })

  it('given what a client has put around the words of a person, leaves it out; a reply stays as it is', () => {
    const parts = [
      { type: 'text', text: `<system-reminder>\n${'The date. '.repeat(200)}\n</system-reminder>` },
      { type: 'text', text: 'Fix the bug' },
    ]
    expect(messagePreview({ id: 'q1', role: 'user', parts })).toBe('Fix the bug')
    expect(messagePreview({ id: 'a1', role: 'assistant', parts })).toMatch(/^<system-reminder> The date/)
  })

  it('given several text parts, never makes one word of two', () => {
    const parts = ['Let me look it up.', 'It is 7.'].map((text) => ({ type: 'text', text }))
    expect(messagePreview({ id: 'm', role: 'assistant', parts })).toBe('Let me look it up. It is 7.')
  })

  it.each([
    ['several lines, gives one', ' Two\n\n\tlines\u00a0here ', 'Two lines here'],
    ['NUL and half a character, drops the one and replaces the other', 'a\0b\ud83d c', 'ab\ufffd c'],
    ['an emoji before the limit, keeps it', `${'a'.repeat(158)}😀😀`, `${'a'.repeat(158)}😀`],
    ['an emoji across the limit, does not cut it in half', `${'a'.repeat(159)}😀`, 'a'.repeat(159)],
    ['as much as the limit, keeps all', 'a'.repeat(160), 'a'.repeat(160)],
    ['more than the limit, cuts it', 'a'.repeat(161), 'a'.repeat(160)],
  ])('given %s', (_, text, preview) => {
    expect(messagePreview(said(text))).toBe(preview)
  })

  it('given another limit, keeps to it', () => {
    expect(messagePreview(said('abcdef'), 3)).toBe('abc')
    expect(messagePreview(said('abcdef'), 0)).toBe('')
    expect(messagePreview(said('ab cd'), 3)).toBe('ab')
  })

  it('given any text at all, stays well-formed, on one line and within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(200), (text, max) => {
        const preview = messagePreview(said(text), max)
        expect(preview.length).toBeLessThanOrEqual(max)
        expect(preview.isWellFormed()).toBe(true)
        expect(preview).not.toMatch(/\0|\s\s|^\s|\s$|\n/)
      }),
    )
  })

  it('given anything at all, never throws', () => {
    const isText = (data: unknown) => typeof messagePreview(data) === 'string'
    fc.assert(fc.property(fc.anything({ withNullPrototype: true }), isText))
  })
})

describe('what a message holds besides its text', () => {
  it.each([
    [
      ['file', 'tool'],
      [{ type: 'text', text: 'See' }, { type: 'tool-search' }, { type: 'file' }],
    ],
    [['tool', 'step'], [{ type: 'dynamic-tool', toolName: 'search' }]],
    [['tool', 'step', 'failure'], [{ type: 'tool-a', state: 'output-error', errorText: 'no' }]],
    [['tool', 'step', 'question'], [{ type: 'tool-a', state: 'approval-requested', approval: { id: '1' } }]],
    ...['AskUserQuestion', 'ask_user_question', 'question', 'ask_followup_question', 'ExitPlanMode'].map(
      (toolName): [string[], object[]] => [
        ['tool', 'step', 'question'],
        [{ type: 'dynamic-tool', toolName, state: 'input-available', input: { question: 'Which?' } }],
      ],
    ),
    // answered, and no question to a person
    [
      ['tool', 'step'],
      [{ type: 'dynamic-tool', toolName: 'AskUserQuestion', state: 'output-available', output: 'Both' }],
    ],
    [['tool', 'step'], [{ type: 'dynamic-tool', toolName: 'ask_database', state: 'input-available' }]],
    [[], [{ type: 'text', text: 'tool-search' }, { type: 'reasoning', text: '…' }, null, 7]],
  ])('is %j', (held, parts) => {
    expect(heldBy({ id: 'a', role: 'assistant', parts })).toEqual(held)
  })

  const text = (words: string) => ({ type: 'text', text: words })
  it.each([
    ['instructions amid a conversation', 'system', [text('Use the task tools.')]],
    ['tools as an item', 'system', [{ type: 'data-item', data: { item: { type: 'additional_tools' } } }]],
    ['an environment', 'user', [text('<environment_context>\n<cwd>/</cwd>\n</environment_context>')]],
    [
      'a setup',
      'user',
      [text('This is the Gemini CLI. We are setting up the context for our chat.\nToday is Friday.')],
    ],
    ['what the model is let say to it', 'assistant', [text('Got it. Thanks for the context!')]],
  ])('is context that an agent has added: %s', (_, role, parts) => {
    expect(heldBy({ id: 'm', role, parts })).toEqual(['context'])
  })

  const reminder = text('<system-reminder>\nToday is Friday.\n</system-reminder>')
  it.each([
    ['words beside it', { role: 'user', parts: [reminder, text('Go on')] }],
    ['a file beside it', { role: 'user', parts: [reminder, { type: 'file' }] }],
    ['no words', { role: 'user', parts: [] }],
    ['a summary', { role: 'user', parts: [reminder], metadata: { compact: {} } }],
    ['a reply', { role: 'assistant', parts: [text('Got it. I go on.')] }],
  ])('is no such context: %s', (_, message) => {
    expect(heldBy({ id: 'm', ...message })).not.toContain('context')
  })

  it('given no message of parts, is nothing', () => {
    for (const data of [null, 'file', { parts: 'file' }, {}]) expect(heldBy(data)).toEqual([])
  })
})
