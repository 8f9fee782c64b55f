import { describe, expect, it } from 'vitest'
import { chatCompletions } from '@/lib/gateway/protocols/chat-completions'
import { messages } from '@/lib/gateway/protocols/messages'
import type { Protocol, ReplyEvent } from '@/lib/gateway/protocols/protocol'
import { responses } from '@/lib/gateway/protocols/responses'
import type { GivenReply } from '@/testing/fixtures/provider-replies'
import * as given from '@/testing/fixtures/provider-replies'

type Said = (reply: GivenReply) => string[]

const protocols: [string, Protocol, Said, Said][] = [
  ['chat completions', chatCompletions, given.chatStream, given.chatWhole],
  ['responses', responses, given.responsesStream, given.responsesWhole],
  ['messages', messages, given.messagesStream, given.messagesWhole],
]

const calls = [
  { id: 'c1', name: 'look', input: { at: 'the "sea"' } },
  { id: 'c2', name: 'wait', input: { for: [1, 2] } },
]
const parts = [
  { type: 'text', text: 'Two things — 你好.' },
  { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: calls[0]?.input },
  { type: 'tool-call', toolCallId: 'c2', toolName: 'wait', input: calls[1]?.input },
]

describe.each(protocols)('a reply in %s', (_, protocol, stream, whole) => {
  const read = (bytes: Uint8Array, size: number, brokenOff?: string) => {
    const collector = protocol.collect()
    for (let at = 0; at < bytes.length; at += size) collector.push(bytes.subarray(at, at + size))
    return collector.end(brokenOff)
  }

  it.each([1, 5, 64, 100_000])('given a stream in pieces of %i bytes, then it is read whole', (size) => {
    const bytes = Buffer.from(stream({ thinking: 'Hm, two.', text: 'Two things — 你好.', calls }).join(''))
    const reply = read(bytes, size)
    const usage = { input: 12, output: 7 }
    expect(reply).toMatchObject({ model: 'model-a', finishReason: 'tool-calls', usage })
    expect(reply.brokenOff).toBeUndefined()
    expect(reply.message.content).toMatchObject([{ type: 'reasoning', text: 'Hm, two.' }, ...parts])
  })

  it('given a whole answer, then it reads as the stream does', () => {
    const given = { text: 'Two things — 你好.', calls }
    const streamed = read(Buffer.from(stream(given).join('')), 9)
    expect(protocol.readReply(JSON.parse(whole(given).join('')))).toEqual(streamed)
  })

  it('given a stream that ends at any byte, then what came is kept, and only the whole one is not broken off', () => {
    const bytes = Buffer.from(stream({ text: 'One two three four.' }).join(''))
    for (let end = 0; end < bytes.length; end += 11) {
      const { message, brokenOff } = read(bytes.subarray(0, end), 50, 'cut')
      const [part] = message.content as { text: string }[]
      expect('One two three four.'.startsWith(part?.text ?? '')).toBe(true)
      if (brokenOff === undefined) expect(part?.text).toBe('One two three four.')
    }
    expect(read(bytes, 50, 'cut').brokenOff).toBeUndefined()
  })

  it('given what the gateway writes itself, then it reads back as what was meant', () => {
    const usage = { input: 20, output: 9, cached: 5 }
    const events: ReplyEvent[] = [
      { type: 'reasoning', text: 'Hm, ' },
      { type: 'reasoning', text: 'two.' },
      { type: 'text', text: 'Two things ' },
      { type: 'text', text: '— 你好.' },
      ...calls.flatMap(({ id, name, input }): ReplyEvent[] => [
        { type: 'call', id, name },
        ...[...JSON.stringify(input)].map((text): ReplyEvent => ({ type: 'input', id, text })),
      ]),
      { type: 'finish', reason: 'tool-calls', usage },
    ]
    const writer = protocol.writeStream({ id: 'x', model: 'm', created: 1, includeUsage: true })
    const text = writer.begin() + events.map(writer.write).join('') + writer.end()
    const reply = read(Buffer.from(text), 33)
    expect(reply).toMatchObject({ model: 'm', finishReason: 'tool-calls', usage })
    expect(reply.message.content).toMatchObject([{ type: 'reasoning', text: 'Hm, two.' }, ...parts])
    const again = protocol.readReply(protocol.writeReply(reply, { id: 'x', model: 'm', created: 1 }))
    expect(again.message.content).toMatchObject([{ text: 'Hm, two.' }, ...parts])
    expect(again).toMatchObject({ finishReason: 'tool-calls', usage: { input: 20, output: 9 } })
  })

  it('given an error within the stream, then the reply is broken off in its words', () => {
    const writer = protocol.writeStream({ id: 'x', model: 'm', created: 1 })
    const refusal = { status: 503, code: 'busy', message: 'Too busy.' }
    const events = [{ type: 'text', text: 'So' } as const, { type: 'error', refusal } as const]
    const text = writer.begin() + events.map(writer.write).join('') + writer.end()
    const { message, brokenOff } = read(Buffer.from(text), 10)
    expect([message.content, brokenOff]).toMatchObject([[{ text: 'So' }], 'Too busy.'])
  })
})

it('given a call of a custom tool in responses, in a stream or whole, then its words are the input', () => {
  const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'patch', input: 'two lines' }
  const answer = { id: 'r1', model: 'model-a', status: 'completed', output: [call] }
  const collector = responses.collect()
  for (const event of [
    { type: 'response.output_item.added', output_index: 0, item: { ...call, input: '' } },
    { type: 'response.output_item.done', output_index: 0, item: call },
    { type: 'response.completed', response: answer },
  ])
    collector.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  for (const reply of [collector.end(), responses.readReply(answer)]) {
    expect(reply.message.content).toMatchObject([
      { type: 'tool-call', toolCallId: 'c1', toolName: 'patch', input: 'two lines' },
    ])
  }
})
