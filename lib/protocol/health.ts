import { z } from 'zod'
import { named } from './fields'

const degraded = z.object({
  what: z.enum(['database', 'worker', 'queue', 'search', 'log_followers', 'disk', 'telemetry']),
  /** a sentence, without ids and addresses */
  detail: z.string(),
})

export const health = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'degraded']),
    database: z.enum(['ok', 'unreachable']),
    worker: z.enum(['on', 'off']),
    degraded: z
      .array(degraded)
      .meta({ description: 'What does not work as it should, and why; empty when all is well' }),
  }),
)

/** Something that does not work as it should. */
export type Degraded = z.infer<typeof degraded>

/** The state of one server process. */
export type Health = z.infer<typeof health>
