import { describe, expect, it } from 'vitest'
import { UsageHidden, withUsageAsked } from './ask-for-usage'

const usage = 'data: {"choices":[],"usage":{"prompt_tokens":1}}'
const word = 'data: {"choices":[{"delta":{"content":"the \\"usage\\""}}],"usage":null}'

describe('what a stream took', () => {
  it.each([
    { stream: `${word}\n\n${usage}\n\ndata: [DONE]\n\n`, seen: `${word}\n\ndata: [DONE]\n\n` },
    {
      stream: `${word}\r\n\r\n${usage}\r\n\r\ndata: [DONE]\r\n\r\n`,
      seen: `${word}\r\n\r\ndata: [DONE]\r\n\r\n`,
    },
    // of servers that say it with the last words, or with each of them
    { stream: 'data: {"choices":[{"delta":{}}],"usage":{"prompt_tokens":1}}\n\n' },
    { stream: `: ping\n\n${word}\n\n${usage}`, seen: `: ping\n\n${word}\n\n` },
    // what is no stream
    { stream: '{"choices":[],"usage":{"prompt_tokens":1}}' },
    { stream: '' },
  ])(
    'is hidden from a reader that has not asked, wherever the bytes of $stream are cut',
    ({ stream, seen }) => {
      for (let size = 1; size <= stream.length + 1; size += 7) {
        const hidden = new UsageHidden()
        const shown: Uint8Array[] = []
        for (let at = 0; at < stream.length; at += size)
          shown.push(hidden.next(Buffer.from(stream.slice(at, at + size))))
        shown.push(hidden.next(undefined))
        expect(Buffer.concat(shown).toString('utf8')).toBe(seen ?? stream)
      }
    },
  )

  it.each([
    [
      '{"seed": 12345678901234567890}',
      '{"seed": 12345678901234567890,"stream_options":{"include_usage":true}}',
    ],
    ['{"a":"}"} \n', '{"a":"}","stream_options":{"include_usage":true}}'],
    ['{"stream_options":{"x":1}}', '{"stream_options":{"x":1,"include_usage":true}}'],
    ['{"stream_options":null}', '{"stream_options":{"include_usage":true}}'],
  ])('is asked for in %s', (text, asked) => {
    expect(withUsageAsked(text, JSON.parse(text))).toBe(asked)
  })
})
