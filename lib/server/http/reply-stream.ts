import 'server-only'
import { UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from 'ai'
import { type StreamCall, streamedBody } from './streamed-body'

const DONE = 'data: [DONE]\n\n'

/** The reply itself is written to its end and stored. */
const FAREWELL: UIMessageChunk = {
  type: 'error',
  errorText: 'You are signed out here. The reply goes on without this page.',
}

/**
 * Parts of a reply as the AI SDK's UI message stream: what its `createUIMessageStreamResponse` makes, in one step instead
 * of three that every word would pass. Nothing is asked of `parts` before the client reads, and leaving cancels it. It
 * counts among the reader's streams, and ends with the reader's session or key; `checkStreams` refuses one too many
 * before there is a reply.
 */
export function replyStreamResponse(call: StreamCall, parts: ReadableStream<UIMessageChunk>): Response {
  const body = streamedBody(
    call,
    parts,
    { text: line, last: DONE, farewell: line(FAREWELL) + DONE },
    { kind: 'reply', exact: false },
  )
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS })
}

const line = (part: UIMessageChunk): string => `data: ${JSON.stringify(part)}\n\n`
