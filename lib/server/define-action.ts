import 'server-only'
import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { requireViewer, type Viewer } from '@/lib/auth'
import type { Ports } from '@/lib/conversations'
import type { ActionResult } from '@/lib/graph'
import { getServices, logError } from '@/lib/runtime'
import { problemOf } from './problem'
import { checkRate } from './rate-limit'
import { noteRefusal } from './refused-access'

/**
 * A server action in four steps: parse, viewer, one use case, encode. It never throws at the client: a refusal comes
 * back as its problem document.
 */
export function defineAction<Input extends z.ZodType, Value>(
  schema: Input,
  use: (ports: Ports, input: z.infer<Input> & { ownerId: string }, viewer: Viewer) => Promise<Value>,
): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return async (input) => {
    try {
      const parsed = schema.parse(input) as z.infer<Input> & object
      const viewer = await requireViewer()
      const { ports, env } = await getServices()
      checkRate(viewer.id, env.RAMIFY_RATE_LIMIT)
      return { ok: true, value: await use(ports, { ...parsed, ownerId: viewer.id }, viewer) }
    } catch (error) {
      unstable_rethrow(error)
      noteRefusal(error, { headers: await headers(), method: 'POST', url: '/(action)' })
      const problem = problemOf(error)
      if (problem.status === 500) logError('action', error)
      return { ok: false, problem }
    }
  }
}
