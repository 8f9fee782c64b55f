import { expect, it } from 'vitest'
import { createModels } from '@/lib/ai/registry'
import { streamReply } from '@/lib/ai/stream-reply'

const MB = 1_000_000

/** A server of a person that never stops talking; `sent` says how much was taken from it, in bytes. */
function endless(status: number, type: string, beginning = '') {
  const sent = { bytes: 0 }
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(beginning)),
    pull(controller) {
      sent.bytes += MB
      controller.enqueue(new Uint8Array(MB).fill(32))
    },
  })
  const ownFetch = async () => new Response(body, { status, headers: { 'content-type': type } })
  return { sent, ownFetch }
}

async function ask(ownFetch: typeof fetch) {
  const models = createModels({}, { ownFetch }).with({
    keys: [
      {
        provider: 'openai-compatible',
        baseUrl: 'https://models.example.org/v1',
        models: [{ name: 'llama' }],
        isReadable: true,
        silenceMs: null,
        open: () => 'sk-ada',
      },
    ],
  })
  return streamReply({
    model: models.get('openai-compatible:llama'),
    replyId: 'r1',
    maxRetries: 0,
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  }).done
}

const tooLong = { status: 'failed', error: { message: expect.stringContaining('too long') } }

it('given an answer without an end, then reading stops after 64 MB, and what was said before is kept', async () => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'llama' }
  const first = { ...chunk, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] }
  const { sent, ownFetch } = endless(200, 'text/event-stream', `data: ${JSON.stringify(first)}\n\n`)
  const outcome = await ask(ownFetch)
  expect(outcome).toMatchObject(tooLong)
  expect(outcome.message.parts).toContainEqual({ type: 'text', text: 'Hello', state: 'done' })
  expect(sent.bytes).toBeLessThan(70 * MB)
})

it('given a refusal without an end, then reading stops after 1 MB', async () => {
  const { sent, ownFetch } = endless(400, 'application/json')
  const outcome = await ask(ownFetch)
  expect(outcome).toMatchObject(tooLong)
  expect(sent.bytes).toBeLessThan(6 * MB)
})
