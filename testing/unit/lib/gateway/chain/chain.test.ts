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

const says = (content: unknown, role = 'user') => ({ role, content }) as ModelMessage
const replies = (content: unknown) => says(content, 'assistant')
const image = (image: unknown) => ({ type: 'image', image })
const file = (data: string, mediaType: string) => ({ type: 'file', data, mediaType })
const toolCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input: {} }
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const words = (value: string) => ({ type: 'text', value })

const [bytes, inline] = [Buffer.from(PIXEL, 'base64'), `data:image/png;base64,${PIXEL}`]
const remote = 'https://example.org/a.png'
const json = { type: 'json', value: { at: 1, to: 2 } }
const parts = { type: 'content', value: [text('sunny')] }
const thought = { type: 'reasoning', text: 'Hm' }

const alike: [string, ModelMessage, ModelMessage][] = [
  ['a text and one part of it', says('Hi'), says([text('Hi')])],
  ['a text whole and in pieces', replies([text('Hel'), text('lo')]), replies('Hello')],
  ['a reply with thoughts, and without', replies([thought, text('Hi')]), replies('Hi')],
  ['a reply, and one that a client has trimmed', replies('Hi \n'), replies('Hi')],
  ['arguments as an object and as JSON', call({ a: 1, b: [2] }), call('{ "b": [2], "a": 1 }')],
  ['arguments in another order', call({ a: { x: 1, y: 2 }, b: 1 }), call({ b: 1, a: { y: 2, x: 1 } })],
  ['no arguments, empty and missing', call({}), call('')],
  ['a call beside no text and beside an empty one', call({}), replies([text(''), toolCall])],
  ['a mark for a cache', says([{ ...text('Hi'), providerOptions: cached }]), says('Hi')],
  ['an answer as text and as a part of text', answer(words('sunny')), answer(parts)],
  ['an answer as JSON and as its text', answer(json), answer(words('{"to":2,"at":1}'))],
  ['an answer with and without its tool’s name', answer(words('x')), answer(words('x'), { toolName: '' })],
  ['an image as bytes, base64 and data address', says([image(bytes)]), says([file(inline, 'image/png')])],
  ['an image at an address', says([image(new URL(remote))]), says([file(remote, 'image/*')])],
]

const otherPixel = PIXEL.replace('HgAAAABJ', 'HgAAAACJ').replace('AWjR', 'BWjR')
const different: [string, ModelMessage, ModelMessage][] = [
  ['other words', says('Hi'), says('Ho')],
  ['another role', says('Hi'), replies('Hi')],
  ['another case of letters', says('hi'), says('Hi')],
  ['space at the end of what a person says', says('Hi '), says('Hi')],
  ['other arguments', call({ a: 1 }), call({ a: 2 })],
  ['a list in another order', call({ a: [1, 2] }), call({ a: [2, 1] })],
  ['a number and its text', call({ a: 1 }), call({ a: '1' })],
  ['another id of a call', call({}), call({}, { toolCallId: 'c2' })],
  ['another tool', call({}), call({}, { toolName: 'other' })],
  ['another answer', answer(words('a')), answer(words('b'))],
  ['an answer that says it failed', answer(words('a')), answer({ type: 'error-text', value: 'a' })],
  ['another image', says([image(PIXEL)]), says([image(otherPixel)])],
  ['words before and after an image', says([text('a'), image(PIXEL)]), says([image(PIXEL), text('a')])],
]

describe('the hash of a message', () => {
  it.each(alike)('is the same: %s', (_what, one, other) => expect(hash(one)).toBe(hash(other)))
  it.each(different)('differs: %s', (_what, one, other) => expect(hash(one)).not.toBe(hash(other)))

  it('names the message together with everything above it', async () => {
    const [one, two] = [says('a'), says('b')]
    expect((await chainHashes(NO_CHAIN, [one, two]))[1]).not.toBe(hash(two))
    expect((await chainHashes(NO_CHAIN, [one, two]))[1]).toBe(chainHash(hash(one), two))
    expect(chainHash('ab', says('c'))).not.toBe(chainHash('a', says('bc')))
  })

  it('is found of arguments that are nested 100,000 deep', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(hash(call(deep))).toMatch(/^[0-9a-f]{64}$/)
    expect(hash(call(deep))).not.toBe(hash(call(`[${deep}]`)))
  })

  it('of a response is no hash of a message', () => {
    expect(responseHash('resp_1')).not.toBe(responseHash('resp_2'))
    expect(responseHash('user')).not.toBe(hash(says('')))
  })
})

describe('the messages of a call', () => {
  it('hold answers of tools together, whether they were sent one by one or not', async () => {
    const [a, b] = [answer(words('a')), answer(words('b'), { toolCallId: 'c2' })]
    const both = { role: 'tool', content: [...(a.content as []), ...(b.content as [])] } as ModelMessage
    expect(linksOf([a, b])).toEqual([both])
    expect(await chainHashes(NO_CHAIN, linksOf([a, b]))).toEqual(await chainHashes(NO_CHAIN, linksOf([both])))
  })

  it('hold the parts of a reply together', async () => {
    const said = replies('Let me see')
    const whole = replies([text('Let me see'), ...(call({}).content as [])])
    expect(linksOf([said, call({})])).toHaveLength(1)
    expect(await chainHashes(NO_CHAIN, linksOf([said, call({})]))).toEqual(
      await chainHashes(NO_CHAIN, [whole]),
    )
  })

  it('keep what a person says twice', () => {
    expect(linksOf([says('Hi'), says('Hi')])).toHaveLength(2)
  })
})
