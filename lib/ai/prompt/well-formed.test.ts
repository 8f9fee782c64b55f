import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { type Receiver, takesOf } from './takes'
import { wellFormed } from './well-formed'

const strict: Receiver = { provider: 'openai-compatible', model: 'strict' }
const of = (provider: string, model = 'any'): Receiver => ({ provider, model })

const system = (content: string): LanguageModelV4Message => ({ role: 'system', content })
const user = (...texts: string[]): LanguageModelV4Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
type Reply = Extract<LanguageModelV4Message, { role: 'assistant' }>
type ReplyPart = Reply['content'][number]
const reply = (...content: (ReplyPart | string)[]): Reply => ({
  role: 'assistant',
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
})
const thought = (text: string, providerOptions?: ReplyPart['providerOptions']): ReplyPart => ({
  type: 'reasoning',
  text,
  ...(providerOptions && { providerOptions }),
})
const call = (toolCallId: string, toolName = 'weather'): ReplyPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: {},
})
const result = (toolCallId: string, toolName = 'weather'): LanguageModelV4Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'Rain' } }],
})

/** The prompt as it is sent, each message by its role and its parts. Done again, it stays the same. */
function sent(messages: LanguageModelV4Message[], receiver = strict) {
  const takes = takesOf(receiver)
  const formed = wellFormed(messages, takes).map(({ message }) => message)
  expect(wellFormed(formed, takes).map(({ message }) => message)).toEqual(formed)
  return formed.map(({ role, content }) => [
    role,
    ...(typeof content === 'string' ? [content] : content.map((part) => said(part))),
  ])
}

function said(part: object & { type: string }): string {
  if ('text' in part) return part.type === 'reasoning' ? `(${part.text})` : String(part.text)
  return 'toolName' in part && 'toolCallId' in part
    ? `${part.type} ${part.toolName} ${part.toolCallId}`
    : part.type
}

describe('turns', () => {
  it('given two messages of a person in a row, then they are one, and no words are lost', () => {
    const chain = [system('Be kind'), user('one'), user('two'), reply('Well.'), user('three')]
    expect(sent(chain)).toEqual([
      ['system', 'Be kind'],
      ['user', 'one\n\ntwo'],
      ['assistant', 'Well.'],
      ['user', 'three'],
    ])
    // each with the place of the message it begins with
    expect(wellFormed(chain, takesOf(strict)).map(({ from }) => from)).toEqual([0, 1, 3, 4])
  })

  it('given a failed reply’s words and another reply, then they are one', () => {
    expect(sent([user('one'), reply('It is'), reply('All is well.'), user('two')])).toEqual([
      ['user', 'one'],
      ['assistant', 'It is\n\nAll is well.'],
      ['user', 'two'],
    ])
  })

  it('given a conversation that begins with a reply, then a turn before it says so, but for OpenAI', () => {
    const chain = [reply('Hello!'), user('Hi')]
    expect(sent(chain)).toEqual([
      ['user', '[This conversation begins with your reply.]'],
      ['assistant', 'Hello!'],
      ['user', 'Hi'],
    ])
    expect(sent(chain, of('openai'))).toEqual([
      ['assistant', 'Hello!'],
      ['user', 'Hi'],
    ])
  })

  it.each([
    ['blank texts', [user('one'), reply(' \n'), user('two')]],
    ['thoughts alone', [user('one'), reply(thought('Hm.')), user('two')]],
    ['nothing', [user('one'), reply(), user('two')]],
  ])('given a reply of %s, then no message is empty and turns alternate', (_, chain) => {
    expect(sent(chain)).toEqual([['user', 'one\n\ntwo']])
  })

  it('given blank texts beside others, then only the others are sent', () => {
    expect(sent([user('one', ' '), reply('\n', 'Well.')], of('anthropic'))).toEqual([
      ['user', 'one'],
      ['assistant', 'Well.'],
    ])
  })

  it('given nothing but a blank message, then it is sent as it is', () => {
    expect(sent([user(' ')])).toEqual([['user', ' ']])
  })

  it('given a picture between words, then it keeps its place', () => {
    const picture: LanguageModelV4Message = {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } }],
    }
    expect(sent([user('one'), picture, user('two')])).toEqual([['user', 'one', 'file', 'two']])
  })

  it('given a message after a tool, then Mistral is given the turn that it wants between them', () => {
    const chain = [user('one'), reply(call('abcdefgh1')), result('abcdefgh1'), user('two')]
    expect(
      sent(chain, of('openrouter', 'mistralai/mistral-large')).map(([role, words]) => [role, words]),
    ).toEqual([
      ['user', 'one'],
      ['assistant', 'tool-call weather abcdefgh1'],
      ['tool', 'tool-result weather abcdefgh1'],
      ['assistant', '[No reply was given.]'],
      ['user', 'two'],
    ])
    expect(sent(chain)).toHaveLength(4)
  })

  it.each([
    'gemma2:9b',
    'google/gemma-3-27b-it',
    'gemma:7b',
    'codegemma',
    'mistralai/Mistral-7B-Instruct-v0.2',
    'o1-mini',
  ])('given %s, which takes no system message, then its words stand before the first question', (model) => {
    expect(sent([system('Be kind'), user('one')], of('ollama', model))).toEqual([['user', 'Be kind\n\none']])
    expect(sent([system('Be kind'), reply('Hello!'), user('one')], of('ollama', model))).toEqual([
      ['user', 'Be kind'],
      ['assistant', 'Hello!'],
      ['user', 'one'],
    ])
  })

  it.each(['gemma4:27b', 'gemma-4-31b-it', 'mistral-small', 'o3-mini', 'llama3'])(
    'given %s, then the system message stays',
    (model) => expect(sent([system('Be kind'), user('one')], of('ollama', model))).toHaveLength(2),
  )
})

describe('thoughts of earlier replies', () => {
  const signed = (provider: string) => thought('Hm.', { [provider]: { signature: 'abc' } })
  const calling = (part: ReplyPart) => [
    user('one'),
    reply(part, call('a1')),
    result('a1'),
    reply(thought('So.'), 'Rain.'),
    user('two'),
    reply(part, call('b1')),
    result('b1'),
  ]

  it.each([strict, of('groq', 'openai/gpt-oss-120b'), of('openrouter', 'x/y'), of('gateway', 'x/y')])(
    'given $provider, then none are sent',
    (receiver) => expect(JSON.stringify(sent(calling(thought('Hm.')), receiver))).not.toMatch(/Hm|So/),
  )

  it.each(['anthropic', 'openai', 'google'])(
    'given %s, then its own signed ones are sent while the model calls tools, and no others',
    (provider) => {
      const found = sent(calling(signed(provider)), of(provider))
      expect(found.map((message) => message.includes('(Hm.)'))).toEqual([
        false,
        false,
        false,
        false,
        false,
        true,
        false,
      ])
      expect(JSON.stringify(sent(calling(signed('other')), of(provider)))).not.toMatch(/Hm|So/)
    },
  )

  it.each(['deepseek-v4-pro', 'deepseek/deepseek-v4-flash', 'moonshotai/Kimi-K2.5'])(
    'given %s, then those of every turn with tools are sent, and none of another turn',
    (model) => {
      const chain = [user('zero'), reply(thought('No.'), 'Zero.'), ...calling(thought('Hm.'))]
      const found = sent(chain, of('openai-compatible', model))
      expect(found.flat().filter((part) => part?.startsWith('('))).toEqual(['(Hm.)', '(So.)', '(Hm.)'])
      // a call without thoughts is refused too: another model may have made it
      const other = sent([user('one'), reply(call('a1')), result('a1')], of('openai-compatible', model))
      expect(other[1]).toEqual(['assistant', '( )', 'tool-call weather a1'])
    },
  )

  it('given a host that wants them, then its models get them whatever they are called', () => {
    const receiver = { ...strict, address: 'https://api.deepseek.com/v1' }
    expect(JSON.stringify(sent(calling(thought('Hm.')), receiver))).toContain('Hm.')
  })

  it('given words of OpenAI, then they are sent as words once their turn is over, and not by an id', () => {
    const providerOptions = { openai: { itemId: 'msg_1' } }
    const chain = [user('one'), reply({ type: 'text', text: 'Well.', providerOptions }), user('two')]
    const [, formed] = wellFormed(chain, takesOf(of('openai'))).map(({ message }) => message)
    expect(formed).toEqual(reply('Well.'))
  })

  it('given Google, then a signature is kept, on a blank text too', () => {
    const providerOptions = { google: { thoughtSignature: 'abc' } }
    const chain = [user('one'), reply('Well.', { type: 'text', text: '', providerOptions }), user('two')]
    expect(wellFormed(chain, takesOf(of('google'))).map(({ message }) => message)).toEqual(chain)
    expect(sent(chain, of('anthropic'))[1]).toEqual(['assistant', 'Well.'])
  })
})

describe('calls of tools', () => {
  const called = (name: string, receiver = strict) =>
    sent([user('one'), reply(call('a1', name)), result('a1', name)], receiver)

  it.each(['canmore.create_textdoc', 'web search', '9lives', 'ä', 'x'.repeat(65), ''])(
    'given a tool that is called %j, then call and result have one name that every provider takes',
    (name) => {
      const [, [, asked = ''] = [], [, answered = ''] = []] = called(name)
      const [, sentName = ''] = asked.split(' ')
      expect(sentName).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
      expect(answered).toBe(`tool-result ${sentName} a1`)
    },
  )

  it('given names that differ in letters which are not taken, then the sent ones differ too', () => {
    expect(new Set(['a.b', 'a b', 'a_b', 'a/b'].map((name) => called(name)[1]?.[1])).size).toBe(4)
  })

  it.each([
    ['openai-compatible', 'mistral-large', 'call_0', /^[a-zA-Z0-9]{9}$/],
    ['anthropic', 'any', 'functions.search:0', /^[a-zA-Z0-9_-]+$/],
    ['openrouter', 'anthropic/claude-x', 'functions.search:0', /^[a-zA-Z0-9_-]+$/],
    ['openai-compatible', 'strict', 'x'.repeat(41), /^.{1,40}$/],
    ['openai-compatible', 'strict', '', /^.{1,40}$/],
    ['openai', 'any', 'x'.repeat(65), /^.{1,64}$/],
    ['openai-compatible', 'kimi-k2', 'functions.search:0', /^functions\.search:0$/],
  ])(
    'given %s %s and the id %j, then call and result have one that it takes',
    (provider, model, id, valid) => {
      const [, asked, answered] = sent([user('one'), reply(call(id)), result(id)], of(provider, model))
      const sentId = asked?.at(-1)?.split(' ').at(-1)
      expect(sentId).toMatch(valid)
      expect(answered?.at(-1)).toBe(`tool-result weather ${sentId}`)
    },
  )

  it('given one id for calls of two turns, then each result goes with its own call', () => {
    const turn = [reply(call('a')), result('a')]
    const found = sent([user('one'), ...turn, user('two'), ...turn], of('anthropic'))
    const ids = found.flatMap(([role, part]) => (role === 'user' ? [] : [part?.split(' ').at(-1)]))
    expect(ids[0]).toBe('a')
    expect([ids[1], ids[3]]).toEqual([ids[0], ids[2]])
    expect(ids[2]).not.toBe('a')
  })
})

it('given a picture in a reply, then a model that takes none there reads a sentence in its place', () => {
  const picture: ReplyPart = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'cat.png',
    data: { type: 'data', data: 'AAAA' },
  }
  const chain = [user('Draw'), reply('Here:', picture), user('two')]
  expect(sent(chain)[1]).toEqual([
    'assistant',
    'Here:\n\n[The file "cat.png" (image/png) stood here: this model cannot read what replies hold.]',
  ])
  expect(sent(chain, of('google'))[1]).toEqual(['assistant', 'Here:', 'file'])
})

it('given details of thoughts with a call, then they go back to who passes them on, and to nobody else', () => {
  const reasoning_details = [{ type: 'reasoning.encrypted', data: 'xyz' }]
  const chain = [
    user('one'),
    reply({ ...call('a1'), providerOptions: { openrouter: { reasoning_details } } }),
    result('a1'),
  ]
  const optionsFor = (receiver: Receiver) =>
    wellFormed(chain, takesOf(receiver))[1]?.message.providerOptions?.openaiCompatible
  expect(optionsFor(of('openrouter', 'google/gemini'))).toEqual({ reasoning_details })
  expect(optionsFor(strict)).toBeUndefined()
})

// with work that grows with the square of them, each of these takes minutes
const many = Array.from({ length: 20_000 }, (_, at) => at)
it.each([
  ['messages of a person', many.map((at) => user(`${at} `.padEnd(600, 'words ')))],
  ['blocks of a reply', [user('Go on.'), reply(...many.map((at) => `${at} `.padEnd(600, 'words ')))]],
  ['calls of one id', many.flatMap(() => [reply(call('a b')), result('a b')])],
])('given 20,000 %s in a row, then they are written without looking at any of them again', (_, chain) => {
  const written = JSON.stringify(wellFormed([user('Hello.'), ...chain], takesOf(of('anthropic'))))
  expect(written.length).toBeGreaterThan(20_000 * 20)
})
