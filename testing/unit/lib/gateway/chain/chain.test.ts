import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { chainHash, chainHashes, linksOf, NO_CHAIN, responseHash } from '@/lib/gateway/chain'

// Given two forms of a message, when each is hashed below the same chain, then they are alike or not.

const hash = (message: ModelMessage): string => chainHash(NO_CHAIN, message)
const text = (words: string) => ({ type: 'text' as const, text: words })
const call = (input: unknown, over: object = {}): ModelMessage => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input, ...over }],
})
const answer = (output: object, over: object = {}) =>
  ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look_up', output, ...over }],
  }) as ModelMessage
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const alike: [string, ModelMessage, ModelMessage][] = [
  ['a text and one part of it', { role: 'user', content: 'Hi' }, { role: 'user', content: [text('Hi')] }],
  [
    'a text whole and in pieces',
    { role: 'assistant', content: [text('Hel'), text('lo')] },
    { role: 'assistant', content: 'Hello' },
  ],
  [
    'a reply with thoughts, and without',
    { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm' }, text('Hi')] },
    { role: 'assistant', content: 'Hi' },
  ],
  [
    'a reply, and one that a client has trimmed',
    { role: 'assistant', content: 'Hi \n' },
    { role: 'assistant', content: 'Hi' },
  ],
  ['arguments as an object and as JSON', call({ a: 1, b: [2] }), call('{ "b": [2], "a": 1 }')],
  ['arguments in another order', call({ a: { x: 1, y: 2 }, b: 1 }), call({ b: 1, a: { y: 2, x: 1 } })],
  ['no arguments, empty and missing', call({}), call('')],
  [
    'a call beside no text and beside an empty one',
    call({}),
    {
      role: 'assistant',
      content: [text(''), { type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input: {} }],
    },
  ],
  [
    'a mark for a cache',
    {
      role: 'user',
      content: [{ ...text('Hi'), providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }],
    },
    { role: 'user', content: 'Hi' },
  ],
  [
    'an answer as text and as a part of text',
    answer({ type: 'text', value: 'sunny' }),
    answer({ type: 'content', value: [text('sunny')] }),
  ],
  [
    'an answer as JSON and as its text',
    answer({ type: 'json', value: { at: 1, to: 2 } }),
    answer({ type: 'text', value: '{"to":2,"at":1}' }),
  ],
  [
    'an answer with and without the name of its tool',
    answer({ type: 'text', value: 'x' }),
    answer({ type: 'text', value: 'x' }, { toolName: '' }),
  ],
  [
    'an image as bytes, base64 and data address',
    { role: 'user', content: [{ type: 'image', image: Buffer.from(PIXEL, 'base64') }] },
    {
      role: 'user',
      content: [{ type: 'file', data: `data:image/png;base64,${PIXEL}`, mediaType: 'image/png' }],
    },
  ],
  [
    'an image at an address',
    { role: 'user', content: [{ type: 'image', image: new URL('https://example.org/a.png') }] },
    { role: 'user', content: [{ type: 'file', data: 'https://example.org/a.png', mediaType: 'image/*' }] },
  ],
]

const different: [string, ModelMessage, ModelMessage][] = [
  ['other words', { role: 'user', content: 'Hi' }, { role: 'user', content: 'Ho' }],
  ['another role', { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hi' }],
  ['another case of letters', { role: 'user', content: 'hi' }, { role: 'user', content: 'Hi' }],
  [
    'space at the end of what a person says',
    { role: 'user', content: 'Hi ' },
    { role: 'user', content: 'Hi' },
  ],
  ['other arguments', call({ a: 1 }), call({ a: 2 })],
  ['a list in another order', call({ a: [1, 2] }), call({ a: [2, 1] })],
  ['a number and its text', call({ a: 1 }), call({ a: '1' })],
  ['another id of a call', call({}), call({}, { toolCallId: 'c2' })],
  ['another tool', call({}), call({}, { toolName: 'other' })],
  ['another answer', answer({ type: 'text', value: 'a' }), answer({ type: 'text', value: 'b' })],
  [
    'an answer that says it failed',
    answer({ type: 'text', value: 'a' }),
    answer({ type: 'error-text', value: 'a' }),
  ],
  [
    'another image',
    { role: 'user', content: [{ type: 'image', image: PIXEL }] },
    {
      role: 'user',
      content: [{ type: 'image', image: PIXEL.replace('HgAAAABJ', 'HgAAAACJ').replace('AWjR', 'BWjR') }],
    },
  ],
  [
    'words before and after an image',
    { role: 'user', content: [text('a'), { type: 'image', image: PIXEL }] },
    { role: 'user', content: [{ type: 'image', image: PIXEL }, text('a')] },
  ],
]

describe('the hash of a message', () => {
  it.each(alike)('is the same: %s', (_what, one, other) => expect(hash(one)).toBe(hash(other)))
  it.each(different)('differs: %s', (_what, one, other) => expect(hash(one)).not.toBe(hash(other)))

  it('names the message together with everything above it', () => {
    const [one, two]: ModelMessage[] = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]
    if (!one || !two) throw new Error('two messages')
    expect(chainHashes(NO_CHAIN, [one, two])[1]).not.toBe(hash(two))
    expect(chainHashes(NO_CHAIN, [one, two])[1]).toBe(chainHash(hash(one), two))
    expect(chainHash('ab', { role: 'user', content: 'c' })).not.toBe(
      chainHash('a', { role: 'user', content: 'bc' }),
    )
  })

  it('is found of arguments that are nested 100,000 deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(hash(call(deep))).toMatch(/^[0-9a-f]{64}$/)
    expect(hash(call(deep))).not.toBe(hash(call(`[${deep}]`)))
  })

  it('of a response is no hash of a message', () => {
    expect(responseHash('resp_1')).not.toBe(responseHash('resp_2'))
    expect(responseHash('user')).not.toBe(hash({ role: 'user', content: '' }))
  })
})

describe('the messages of a call', () => {
  it('hold answers of tools together, whether they were sent one by one or not', () => {
    const [a, b] = [
      answer({ type: 'text', value: 'a' }),
      answer({ type: 'text', value: 'b' }, { toolCallId: 'c2' }),
    ]
    const both = { role: 'tool', content: [...(a.content as []), ...(b.content as [])] } as ModelMessage
    expect(linksOf([a, b])).toEqual([both])
    expect(chainHashes(NO_CHAIN, linksOf([a, b]))).toEqual(chainHashes(NO_CHAIN, linksOf([both])))
  })

  it('hold the parts of a reply together', () => {
    const said = { role: 'assistant', content: 'Let me see' } as const
    expect(linksOf([said, call({})])).toHaveLength(1)
    expect(chainHashes(NO_CHAIN, linksOf([said, call({})]))).toEqual(
      chainHashes(NO_CHAIN, [
        { role: 'assistant', content: [text('Let me see'), ...(call({}).content as [])] },
      ]),
    )
  })

  it('keep what a person says twice', () => {
    const said: ModelMessage = { role: 'user', content: 'Hi' }
    expect(linksOf([said, said])).toHaveLength(2)
  })
})
