import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, type ModelMessage } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { type DemoModelOptions, demoModel } from '@/lib/ai/demo-model'
import { openers } from '@/lib/protocol/openers'

/** `> text` is the user's, anything else the assistant's. */
function chain(...lines: string[]): ModelMessage[] {
  return lines.map((line) =>
    line.startsWith('> ') ? { role: 'user', content: line.slice(2) } : { role: 'assistant', content: line },
  )
}

async function ask(messages: ModelMessage[], instructions?: string, options: DemoModelOptions = {}) {
  const { text } = await generateText({
    model: demoModel({ delayMs: 0, ...options }),
    messages,
    ...(instructions !== undefined && { instructions }),
    maxRetries: 0,
  })
  return text
}

const call = (text: string, more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  ...more,
})

const quick = demoModel({ delayMs: 0 })
/** What the demo model streams when it is told this. */
const streamed = async (text: string) =>
  convertReadableStreamToArray((await quick.doStream(call(text))).stream)

const textOf = (parts: LanguageModelV4StreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

describe('facts of the branch', () => {
  it.each([
    ...['I am devansh → devansh', 'i am devansh → devansh', "I'm Ada → Ada", 'I am Mohamed → Mohamed'],
    ...[
      'Hi, I am devansh! → devansh',
      'Hello there, my name is Devansh → Devansh',
      'call me Ishmael → Ishmael',
    ],
    ...['I’m Ada Lovelace. → Ada Lovelace', 'Please call me Ishmael, by the way → Ishmael'],
    ...["my name's Zoë and I live in Oslo → Zoë", 'My name is Jean-Luc O’Neill. Ships. → Jean-Luc O’Neill'],
  ])('given words, when asked for the name, then it is known: %s', async (line) => {
    const [said, name] = line.split(' → ')
    expect(await ask(chain(`> ${said}`, 'Noted.', '> what is my name'))).toContain(`Your name is ${name}.`)
  })

  it.each([
    ...['I am tired', 'I am looking for a job', "I'm from Berlin", 'I am a developer', 'my name is not Bob'],
    ...['Is my name Bob?', 'Could it be that my name is Bob', 'So I wonder: my name is Bob?'],
    '```\nmy name is Bob\n```',
  ])('given "%s", when asked for the name, then it has not been told one', async (said) => {
    const answer = await ask(chain(`> ${said}`, 'Noted.', '> what is my name?'))
    expect(answer).toMatch(/^You have not told me your name/)
  })

  const unknown = 'You have not told me your name'
  const quoting = 'Your name is Bob. My name is Bob. I am Bob.'
  it.each([
    ['two names, then the later one wins', ['> I am Ada', 'Hi', '> my name is Grace', 'Hi'], 'Grace', 'Ada'],
    ['a name that only a reply quotes, then it is no fact', ['> hello', quoting], unknown, 'Bob'],
    ['a forgotten name, then it is gone', ['> I am Ada', 'Hi', '> forget my name', 'Ok'], unknown, 'Ada'],
  ])('given %s', async (_, before, says, not) => {
    const text = await ask(chain(...before, "> what's my name?"))
    expect(text).toContain(says)
    expect(text).not.toContain(not)
  })

  it('given a name and the question in one message, then it answers', async () => {
    expect(await ask(chain('> I am devansh, what is my name?'))).toContain('devansh')
  })

  it.each([
    ['my favourite colour is green', 'What is my favorite color?', 'Your favourite colour is green'],
    ['I live in New York.', 'where do I live', 'You live in New York'],
    ['I am 30 years old', 'how old am I?', 'You are 30 years old'],
    ['I work at Acme', 'Where do I work?', 'You work at Acme'],
    ['remember that my dog is called Rex', 'what is my dog called?', 'Your dog is Rex'],
    ['The codeword is banana', 'what is the codeword?', 'The codeword is banana'],
    ['remember the number 42', 'what is the number?', 'the number 42'],
    ['my dog is called Rex', "what is my dog's name?", 'Your dog is Rex'],
    ['my boss is Eve and my cat is Tom', 'do you know what my boss is', 'Your boss is Eve'],
  ])('given "%s", when asked "%s", then it recalls it', async (said, question, answer) => {
    expect(await ask(chain(`> ${said}`, 'Noted.', `> ${question}`))).toContain(answer)
  })

  it('given facts, when asked what it remembers, then it lists them and where they stand', async () => {
    const text = await ask(
      chain('> I am Ada', 'Hi', '> remember that I owe Bob lunch', 'Ok', '> what do you remember?'),
    )
    expect(text).toContain('- Your name is Ada (message 1)')
    expect(text).toContain('- You asked me to remember: you owe Bob lunch (message 3)')
  })

  it('given an unknown subject, when asked, then it says so', async () => {
    expect(await ask(chain('> what is my shoe size?'))).toMatch(/^You have not told me your shoe size/)
  })
})

describe('the prompt itself', () => {
  const system =
    '<role>You are a pirate &amp; a poet.</role>\n<hint>Be <b>brief</b></hint>\n<hint>Rhyme</hint>'

  it('given a question that only looks like one about facts, then it does not pretend to have been asked about me', async () => {
    expect(await ask(chain('> My code is broken. How do I fix it?'))).not.toMatch(/not told me/)
  })

  it('given a chain, when asked how many messages it sees, then it counts them and the fragments', async () => {
    const text = await ask(chain('> a', 'b', '> c', 'd', '> how many messages do you see?'), system)
    expect(text).toContain('I see 5 messages')
    expect(text).toContain('3 from you and 2 from me')
    expect(text).toContain('3 fragments: `role`, `hint` × 2')
  })

  it.each([
    ['# Role\nYou are x\n\n## Hint\nb', 2],
    ['role: You are x\nhint: b', 2],
    ['[role]\ntext = "x"', 2],
    ['You are x.\n\nBe brief.\n\nBe kind.', 3],
    ['', 0],
  ])('given instructions %j, then it counts %d fragments', async (instructions, count) => {
    expect(await ask(chain('> what do you see'), instructions || undefined)).toContain(`${count} fragment`)
  })

  it('given a role, when asked who it is, then it states the role and that it is a demo', async () => {
    const text = await ask(chain('> who are you?'), system)
    expect(text).toContain('“You are a pirate & a poet.”')
    expect(text).toContain('demo model')
  })
})

describe('other answers', () => {
  it.each([
    ...['what is 2+2 → 2 + 2 = 4', "what's (2 + 3) * 4? → (2 + 3) * 4 = 20", '7 times 6 → 7 * 6 = 42'],
    ...['calculate 10 divided by 4 → 10 / 4 = 2.5', '2^10 - -1 → = 1025', '0.1 + 0.2 → = 0.3'],
    ...['1/0 → 1 / 0 has no finite answer', '2^99999 → no finite answer'],
  ])('given a sum, then its result: %s', async (line) => {
    const [question, answer] = line.split(' → ')
    expect(await ask(chain(`> ${question}`))).toContain(answer)
  })

  it.each(['2+', '(2+3', '2026-05-01 is a date', '42'])('given %s, then it is no sum', async (question) => {
    expect(await ask(chain(`> ${question}`))).not.toContain(' = ')
  })

  it('given "count to 200", then it streams exactly 200 words', async () => {
    const parts = await streamed('count to 200')
    expect(parts.filter(({ type }) => type === 'text-delta')).toHaveLength(200)
    expect(textOf(parts).split(' ')).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 1)))
  })

  it('given an absurd count, then it is capped', async () => {
    expect((await ask(chain('> count to 999999'))).split(' ')).toHaveLength(5000)
  })

  it.each([
    ['write code for a sort function', '```ts'],
    ['compare cats and dogs in a table', '| --- |'],
    ['give me a list of ideas', '1. '],
    ['hello', 'Hello!'],
  ])('given "%s", then the answer has the form asked for', async (question, form) => {
    const text = await ask(chain(`> ${question}`))
    expect(text).toContain(form)
    expect(text).toContain('I see 1 message on this branch')
  })

  it('given the same prompt twice, then the same answer; given another one, then another answer', async () => {
    const [first, again, other] = await Promise.all([
      ask(chain('> tell me about rivers')),
      ask(chain('> tell me about rivers')),
      ask(chain('> tell me about mountains')),
    ])
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(first).toMatch(/demo model/)
    expect(first).toMatch(/branch/i)
  })

  it.each([
    ['nothing', ''],
    ['a lone surrogate', 'x \ud800'],
    ['a million characters', 'a '.repeat(500_000)],
    ['a million open brackets', '['.repeat(1_000_000)],
    ['many words without an end', `my ${'very '.repeat(100_000)}name`],
  ])('given %s, then it answers at once', async (_, text) => {
    const started = performance.now()
    const { content } = await quick.doGenerate(call(text))
    expect(content).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('as a language model', () => {
  it('given a prompt, when streamed, then deltas are framed and tokens reported', async () => {
    const parts = await streamed('count to 3')
    expect(parts.map(({ type }) => type).join(' ')).toBe(
      'stream-start response-metadata text-start text-delta text-delta text-delta text-end finish',
    )
    expect(parts.at(-1)).toMatchObject({
      finishReason: { unified: 'stop' },
      usage: { inputTokens: { total: 3 }, outputTokens: { total: 3 } },
    })
  })

  it('given the same prompt, then doGenerate says what doStream says', async () => {
    const { content } = await quick.doGenerate(call('hello'))
    expect(content).toEqual([{ type: 'text', text: textOf(await streamed('hello')) }])
  })

  it('given a limit on tokens, then it stops there and says why', async () => {
    const result = await quick.doGenerate(call('count to 9', { maxOutputTokens: 4 }))
    expect(result.content).toEqual([{ type: 'text', text: '1 2 3 4' }])
    expect(result.finishReason.unified).toBe('length')
  })

  it('given a cut reply of its own at the end, then it goes on with it', async () => {
    const { prompt } = call('count to 9')
    const cut = { role: 'assistant' as const, content: [{ type: 'text' as const, text: '1 2 3' }] }
    const { content } = await quick.doGenerate({ prompt: [...prompt, cut] })
    expect(content).toEqual([{ type: 'text', text: ' 4 5 6 7 8 9' }])
  })

  it('given a long pause between words, when aborted, then the stream ends at once', async () => {
    const stop = new AbortController()
    const model = demoModel({ delayMs: 60_000 })
    const { stream } = await model.doStream(call('count to 9', { abortSignal: stop.signal }))
    setTimeout(() => stop.abort(), 20)
    const started = performance.now()
    await expect(convertReadableStreamToArray(stream)).rejects.toThrow(/abort/i)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('given an aborted signal, when called, then it rejects without a word', async () => {
    const abortSignal = AbortSignal.abort()
    await expect(demoModel().doStream(call('hi', { abortSignal }))).rejects.toThrow(/abort/i)
  })
})

// what the phrases do where faults are on shows in stream-reply.test.ts
it('given faults are off, then a phrase of one is only text', async () => {
  expect(textOf(await streamed('count to 9 [demo:fail-after 2]'))).toBe('1 2 3 4 5 6 7 8 9')
})

describe('another try', () => {
  const streamedBy = async (
    model: ReturnType<typeof demoModel>,
    prompt: LanguageModelV4CallOptions['prompt'],
  ) => textOf(await convertReadableStreamToArray((await model.doStream({ prompt })).stream))
  const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })
  const assistant = (text: string) => ({
    role: 'assistant' as const,
    content: [{ type: 'text' as const, text }],
  })

  it.each([...openers, 'What is a good way to learn the piano?', 'A list of ideas, please'])(
    'given "%s", when asked again, then it says something else',
    async (question) => {
      const model = demoModel({ delayMs: 0 })
      const [first, second, third] = [
        await streamedBy(model, [user(question)]),
        await streamedBy(model, [user(question)]),
        await streamedBy(model, [user(question)]),
      ]
      expect(new Set([first, second, third]).size).toBe(3)
      // another machine, or the next start, begins with the same
      expect(await streamedBy(demoModel({ delayMs: 0 }), [user(question)])).toBe(first)
    },
  )

  it.each(openers)(
    'given "%s", then its answer asks back, and says how to go another way',
    async (question) => {
      const text = await streamedBy(demoModel({ delayMs: 0 }), [user(question)])
      expect(text).toMatch(/\? Press \*\*Edit\*\* .* or \*\*Try again\*\*/)
      expect(text).not.toContain('built-in demo model')
    },
  )

  it.each([
    [`${openers[0]} By the water.`, 'Cascais'],
    [`${openers[1]} For a child.`, 'queue'],
    [`${openers[2]} A silly one.`, 'Kevin'],
  ])('given the question with one of the two in it: "%s", then it takes it up', async (question, says) => {
    expect(await streamedBy(demoModel({ delayMs: 0 }), [user(question)])).toContain(says)
  })

  it('given a short answer to what it asked back, then it goes on with the same subject', async () => {
    const model = demoModel({ delayMs: 0 })
    const prompt = [user(openers[0]), assistant('By the water or up the hills?'), user('Up the hills')]
    expect(await streamedBy(model, prompt)).toContain('Then go up')
    expect(await streamedBy(model, [user('Up the hills')])).not.toContain('Then go up')
  })

  it('given a cut second try, when it goes on, then with the words of that try', async () => {
    const model = demoModel({ delayMs: 0 })
    const [question] = openers
    await streamedBy(model, [user(question)])
    const second = await streamedBy(model, [user(question)])
    const begun = second.slice(0, 40)
    expect(begun + (await streamedBy(model, [user(question), assistant(begun)]))).toBe(second)
  })
})
