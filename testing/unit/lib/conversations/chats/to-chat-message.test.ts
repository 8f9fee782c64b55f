import { readUIMessageStream, type UIMessage } from 'ai'
import { convertArrayToReadableStream } from 'ai/test'
import { expect, it } from 'vitest'
import { storedReply } from '@/lib/conversations/chats/to-chat-message'

const reasoning = { text: 'Let me see.', state: 'done', id: '1', providerMetadata: { a: { signature: 'x' } } }
const output = { state: 'output-available', input: { q: 1 }, output: [2] } as const
const failed = { state: 'output-error', errorText: 'No.' }
const waits = { state: 'approval-requested', approval: { id: 'may c3' } }
const denied = { state: 'output-denied', approval: { id: 'may c4', approved: false, reason: 'Not now' } }
const allowed = { approval: { id: 'may c5', approved: true } }
const parts = [
  { type: 'step-start' },
  { type: 'reasoning', ...reasoning },
  { type: 'tool-search', toolCallId: 'c1', ...output, providerExecuted: true },
  { type: 'dynamic-tool', toolName: 'weather', toolCallId: 'c2', input: {}, ...failed },
  { type: 'tool-remember', toolCallId: 'c3', input: {}, ...waits },
  { type: 'tool-forget', toolCallId: 'c4', input: { key: 'a' }, ...denied },
  { type: 'dynamic-tool', toolName: 'x__echo', toolCallId: 'c5', ...output, ...allowed },
  { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
  { type: 'source-url', sourceId: 's', url: 'https://example.com', title: 'Hours' },
  { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'Timetable' },
  { type: 'text', text: 'So it is.', state: 'done' },
] as UIMessage['parts']

it('given a stored reply of many parts, when it is sent again as a stream, then a reader has the same parts', async () => {
  const metadata = { model: 'demo:demo' }
  const chunks = storedReply({ id: 'r', role: 'assistant', parts, metadata })
  const stream = convertArrayToReadableStream(chunks)
  let read: UIMessage | undefined
  for await (const state of readUIMessageStream({ stream })) read = state
  expect(read?.metadata).toEqual(metadata)
  const plain = JSON.parse(JSON.stringify(read?.parts)) as Record<string, unknown>[]
  expect(plain).toMatchObject(
    parts.map(({ ...part }) => ({ ...part, ...('id' in part && { id: expect.anything() }) })),
  )
  expect(plain).toHaveLength(parts.length)
})
