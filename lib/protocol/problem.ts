import { z } from 'zod'
import { named } from './fields'

export const problem = named(
  'Problem',
  z
    .object({
      type: z.string().meta({ examples: ['about:blank'] }),
      title: z.string().meta({ description: 'The kind of refusal, for a log' }),
      status: z.int(),
      detail: z.string().meta({ description: 'A sentence to show: what happened, why, and what to do' }),
      code: z.string().meta({ description: 'What a program decides by' }),
      limit: z.string().optional().meta({ description: 'The name of the limit that was met' }),
      allowed: z.number().optional().meta({ description: 'What the limit allows' }),
      used: z.number().optional().meta({ description: 'How much of it is used' }),
      current: z.unknown().optional().meta({ description: 'What is in force instead of what was expected' }),
      retry_after: z.number().optional().meta({ description: 'Seconds to wait before the next attempt' }),
    })
    .meta({
      description: 'An RFC 9457 problem document',
      examples: [
        {
          type: 'about:blank',
          title: 'Not found',
          status: 404,
          detail: 'Thread not found',
          code: 'not_found',
        },
      ],
    }),
)

/** RFC 9457 problem document, as every route and action answers one. */
export type Problem = z.infer<typeof problem>

export type ActionResult<T> = { ok: true; value: T } | { ok: false; problem: Problem }
