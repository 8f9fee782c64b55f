import 'server-only'
import type { z } from 'zod'

/** The parts the API's description falls into, in the order they are read. */
export const tags = {
  'Getting in': 'A session cookie or an API key says who you are. A guest needs no form.',
  Commands:
    'What is said to a thread. Every command is one transaction: it is done whole, or refused and nothing is written.',
  Threads: 'What a thread says: its own events and messages, and the ones it inherits, as one sequence.',
  Chat: 'What the browser’s chat speaks: the AI SDK’s UI message stream, and the graph of a chat.',
  Operations: 'For whoever runs the server.',
} as const

export type Tag = keyof typeof tags

export interface Answer {
  status: number
  description: string
  /** JSON unless told */
  type?: 'text/event-stream'
  schema?: z.ZodType
  example?: unknown
}

/** One method of one address, described by the schemas its route uses. */
export interface Operation {
  /** unique; the anchor on the page too */
  id: string
  method: 'get' | 'post' | 'delete'
  /** with `{id}` for what the address names */
  path: string
  tag: Tag
  summary: string
  description?: string
  /** who may ask: a viewer unless told */
  asks?: 'anybody' | 'scheduler'
  /** what `{id}` is */
  names?: string
  query?: z.ZodObject
  headers?: Record<string, { schema: z.ZodType; required?: boolean }>
  body?: { schema: z.ZodType; example: unknown }
  answers: Answer[]
  /** why it may be refused, besides what every request of its kind may be: `code` to sentence */
  conflicts?: Record<string, string>
}
