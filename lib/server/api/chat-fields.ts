import 'server-only'
import { z } from 'zod'
import { wholeNumber } from '@/lib/protocol/fields'

// Fields and examples that the operations of the browser's chat share.

export const chatId = z.string().min(1).max(128)
export const branchName = z.string().min(1).max(200)

/** A position of a chat's log; 0 before the first event. */
export const position = wholeNumber(0, Number.MAX_SAFE_INTEGER)

export const exampleMessage = {
  id: '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61',
  role: 'user' as const,
  parts: [{ type: 'text', text: 'Hello' }],
}

export const replyStream = {
  description: 'The reply as the AI SDK’s UI message stream.',
  type: 'text/event-stream' as const,
  example:
    'data: {"type":"text-delta","id":"0","delta":"Hello"}\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n',
}
