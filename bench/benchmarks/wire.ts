import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { streamFrom } from '@/lib/ai/stream-from'
import { streamReply } from '@/lib/ai/stream-reply'
import { wireFetch } from '@/lib/ai/wire/wire-fetch'
import { alternate } from '../alternate'
import { addedTo, overFloor, type Result } from '../result'
import { atMost } from '../statistics'

/** Pieces that come with one packet of a fast connection. */
const TOGETHER = 5

/** The cost of reading a stream as providers really send it, against the AI SDK alone on the same bytes. */
export async function wire({ quick }: { quick: boolean }): Promise<Result[]> {
  const pieces = quick ? 2000 : 10_000
  const packets = packetsOf(pieces)
  const answering = (asked: readonly Uint8Array[]) => async () =>
    new Response(streamFrom(asked), {
      headers: { 'content-type': 'text/event-stream' },
    })
  const reply = (fetch: typeof globalThis.fetch) => {
    const model: LanguageModel = createOpenAICompatible({
      name: 'bench',
      baseURL: 'http://bench.test/v1',
      includeUsage: true,
      fetch,
    })('m')
    return streamReply({
      model,
      replyId: 'r1',
      maxRetries: 0,
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go on' }] }],
    })
  }
  const whole = async (fetch: typeof globalThis.fetch) => {
    const { status } = await reply(fetch).done
    if (status !== 'completed') throw new Error(`The reply was ${status}`)
  }
  const firstWord = async (fetch: typeof globalThis.fetch) => {
    const { chunks, done } = reply(fetch)
    for await (const chunk of chunks) if (chunk.type === 'text-delta') break
    await done
  }
  const plain = answering(packets)
  const short = answering(packetsOf(3))
  const time = await alternate(
    {
      plain: () => whole(plain),
      read: () => whole(wireFetch(plain, 'chat-completions')),
      plainFirst: () => firstWord(short),
      readFirst: () => firstWord(wireFetch(short, 'chat-completions')),
    },
    { rounds: quick ? 11 : 31, warmup: 3, budget: 60_000 },
  )
  return [
    overFloor({
      bench: 'wire',
      what: `a reply of ${pieces} pieces`,
      against: { name: 'the AI SDK alone', value: time.plain },
      ours: time.read,
      target: atMost(1.03),
    }),
    addedTo({
      bench: 'wire',
      what: 'a reply of three pieces, its first word among them',
      against: { name: 'the AI SDK alone', value: time.plainFirst },
      ours: time.readFirst,
      target: atMost(15),
    }),
  ]
}

function packetsOf(pieces: number): Uint8Array[] {
  const said = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'm',
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    })}\n\n`
  const events = [
    said({ role: 'assistant', content: '' }),
    ...Array.from({ length: pieces }, (_, at) => said({ content: ` word${at}` })),
    said({}, 'stop'),
    'data: [DONE]\n\n',
  ]
  return Array.from({ length: Math.ceil(events.length / TOGETHER) }, (_, at) =>
    Buffer.from(events.slice(at * TOGETHER, (at + 1) * TOGETHER).join('')),
  )
}
