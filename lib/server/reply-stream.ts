import 'server-only'
import { UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from 'ai'
import { streamBegins, telemetry } from '@/lib/runtime'

const encoder = new TextEncoder()

/**
 * Parts of a reply as the AI SDK's UI message stream: what its `createUIMessageStreamResponse` makes, in one step instead
 * of three that every word would pass. Nothing is asked of `parts` before the client reads, and leaving cancels it.
 */
export function replyStreamResponse(parts: ReadableStream<UIMessageChunk>): Response {
  const reader = parts.getReader()
  // begun when it is first read: an answer that nobody reads is no open stream
  let ends: (() => void) | undefined
  // read by the framework, outside the turn
  const turn = telemetry()?.current()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        ends ??= streamBegins('reply', turn)
        try {
          const { done, value } = await reader.read()
          controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value)}\n\n`))
          if (!done) return
        } catch (error) {
          ends()
          throw error
        }
        ends()
        controller.close()
      },
      cancel(reason) {
        ends?.()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: UI_MESSAGE_STREAM_HEADERS })
}
