import 'server-only'
import { z } from 'zod'

// Fields and examples that the commands and the reads of threads share, in the words of CONTRACT.md.

const message = '019d3c1e-9d08-7113-8a5e-2f4d9b6c7e33'

/** The thread of every example on the API page. */
export const example = {
  chat: '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f0e',
  thread: '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f10',
  fork: 'branch-019d3c20-11d4-7be1-8c55-6f0e5d1f6a02',
  question: '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61',
  reply: message,
  checkpoint: `ckpt-${message}`,
}

export const threadId = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: [example.thread] })

export const messageId = z.string().meta({ examples: [example.question] })

export const eventNumber = z
  .int()
  .meta({ description: 'Counts along the whole history of a thread, from 1', examples: [4] })
