import type { LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { readUIMessageStream, type UIMessage } from 'ai'
import { convertArrayToReadableStream, convertReadableStreamToArray, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { askBriefly } from '@/lib/ai/ask-briefly'
import { assembleMessage } from '@/lib/ai/reply/settle-message'
import { streamReply } from '@/lib/ai/stream-reply'
import { finish, textParts as text, usage } from '../streamed'

/** The reply to a stream: as it is stored, and as a reader of its chunks has it. */
async function reply(...parts: Part[]) {
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: convertArrayToReadableStream(parts) }),
  })
  const messages: UIMessage[] = [
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How are things?' }] },
  ]
  const { chunks, done } = streamReply({ model, messages, replyId: 'r1', maxRetries: 0 })
  const sent = await convertReadableStreamToArray(chunks)
  let read: UIMessage | undefined
  for await (const state of readUIMessageStream({ stream: convertArrayToReadableStream(sent) })) read = state
  const outcome = await done
  return { outcome, stored: said(outcome.message), read: said(read), sent }
}

const said = (message: UIMessage | undefined) =>
  message?.parts.flatMap((part) =>
    part.type === 'text' || part.type === 'reasoning' ? [[part.type, part.text]] : [],
  )

const thoughtThenSaid = [
  ['reasoning', 'They are kind.'],
  ['text', 'All is well.'],
]

describe('thoughts that a model writes into its words', () => {
  it.each([
    ['a tag', ['<think>', '\nThey are', ' kind.\n', '</think>', '\n\nAll ', 'is well.']],
    ['a tag cut in pieces', ['<th', 'ink>They are kind.</', 'thin', 'k>All is', ' well.']],
    ['a tag that began in the prompt', ['They are', ' kind.\n', '</think>\n\n', 'All is well.']],
    [
      'channels',
      [
        '<|channel|>analysis<|message|>They are kind.<|end|>',
        '<|start|>assistant<|channel|>',
        'final<|message|>All is well.',
      ],
    ],
  ])('given %s, then they are a part of their own, stored and streamed', async (_, deltas) => {
    const { outcome, stored, read, sent } = await reply(...text(...deltas), finish)
    expect(outcome.status).toBe('completed')
    expect(stored).toEqual(thoughtThenSaid)
    expect(read).toEqual(thoughtThenSaid)
    expect(said(await assembleMessage(sent, 'r1'))).toEqual(thoughtThenSaid)
  })

  it('given a tag in code, then it stays where it is', async () => {
    const code = 'Write `<think>`:\n```\n<think>\n```\n'
    expect((await reply(...text(code), finish)).stored).toEqual([['text', code]])
  })

  it('given a stream that breaks inside a tag, then nothing of it is lost', async () => {
    const { outcome, stored } = await reply(...text('<think>Hm').slice(0, 2), {
      type: 'error',
      error: new Error('gone'),
    })
    expect(outcome.status).toBe('failed')
    expect(stored).toEqual([['reasoning', 'Hm']])
    const cut = await reply(...text('All is <thi').slice(0, 2), { type: 'error', error: new Error('gone') })
    expect(cut.stored).toEqual([['text', 'All is <thi']])
  })

  it('given thoughts alone, then the model has said nothing, and they are kept', async () => {
    const { outcome, stored } = await reply(...text('<think>They are kind.'), finish)
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { message: 'The model finished without saying anything.' },
    })
    expect(stored).toEqual([['reasoning', 'They are kind.']])
  })

  it('given thoughts in their own part and an end of them in the words, then the end is dropped', async () => {
    const own: Part[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'They are kind.' },
      { type: 'reasoning-end', id: 'r' },
    ]
    expect((await reply(...own, ...text('</think>\n\nAll is well.'), finish)).stored).toEqual(thoughtThenSaid)
  })

  it('given an empty text with a signature, then it is kept with it', async () => {
    const providerMetadata = { google: { thoughtSignature: 'abc' } }
    const { outcome } = await reply(
      ...text('All is well.'),
      { type: 'text-start', id: '1' },
      { type: 'text-end', id: '1', providerMetadata },
      finish,
    )
    expect(outcome.message.parts.at(-1)).toMatchObject({ type: 'text', text: '', providerMetadata })
  })
})

it('given a brief answer with thoughts, then only its words count', async () => {
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: '<think>\nThey want a title.\n</think>\n\nWell Being' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    }),
  })
  const { signal } = new AbortController()
  const answer = await askBriefly({ model, instructions: 'Name it', prompt: 'How?', abortSignal: signal })
  expect(answer.text).toBe('Well Being')
})
