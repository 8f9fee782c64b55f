import 'server-only'
import { z } from 'zod'
import { component } from '../components'

export const instant = z.iso.datetime().meta({ examples: ['2026-03-14T09:26:53.589Z'] })

/** A whole number in a query. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Event numbers and depths are 32 bits wide. */
export const MAX_INT = 2 ** 31 - 1

export const problem = component(
  'Problem',
  z
    .object({
      type: z.string().meta({ examples: ['about:blank'] }),
      title: z.string().meta({ description: 'The kind of refusal, for a log' }),
      status: z.int(),
      detail: z.string().meta({ description: 'A sentence for a person: what happened and what to do' }),
      code: z.string().meta({ description: 'What a program decides by' }),
      limit: z.string().optional().meta({ description: 'The limit that was met' }),
      allowed: z.number().optional().meta({ description: 'The most there may be of it' }),
      used: z.number().optional().meta({ description: 'How much of it there is' }),
      retry_after: z.number().optional().meta({ description: 'Seconds until asking again makes sense' }),
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
