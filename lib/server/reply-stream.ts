import 'server-only'
import { UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from 'ai'

const encoder = new TextEncoder()

/**
 * Parts of a reply as the AI SDK's UI message stream: what its `createUIMessageStreamResponse` makes, in one step instead
 * of three that every word would pass. Nothing is asked of `parts` before the client reads, and leaving cancels it.
 */
export function replyStreamResponse(parts: ReadableStream<UIMessageChunk>): Response {
  const reader = parts.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value)}\n\n`))
        if (done) controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS })
}
