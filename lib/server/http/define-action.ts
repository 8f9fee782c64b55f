import 'server-only'
import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { z } from 'zod'
import { requireViewer, type Viewer } from '@/lib/auth'
import { inCalledChat, type Ports } from '@/lib/conversations'
import type { ActionResult } from '@/lib/protocol'
import { type AuditEvent, type AuditFields, audit, getServices, logError, onBehalfOf } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { checkRate } from './admit'
import { workAfterWrite } from './background'
import { requestTurnstile } from './pace'
import { toProblem } from './problem'
import { noteRefusal } from './refused-access'

/**
 * A server action in four steps: parse, viewer, one use case, encode. It never throws at the client: a refusal is
 * returned as its problem document.
 */
export function defineAction<Input extends z.ZodType, Value>(
  schema: Input,
  use: (ports: Ports, input: z.infer<Input> & { ownerId: string }, viewer: Viewer) => Promise<Value>,
): (input: z.input<Input>) => Promise<ActionResult<Value>> {
  return async (input) => {
    try {
      const parsed = schema.parse(input) as z.infer<Input> & object
      const viewer = await requireViewer()
      const { portsFor, env } = await getServices()
      const ports = portsFor(clientAddress({ headers: await headers() }))
      checkRate(viewer.id, env.RAMIFY_RATE_LIMIT)
      const asked = { ...parsed, ownerId: viewer.id }
      const act = () =>
        'chatId' in parsed && typeof parsed.chatId === 'string'
          ? inCalledChat(ports, { ...asked, chatId: parsed.chatId }, (chat) =>
              use(ports, { ...asked, ...chat }, viewer),
            )
          : use(ports, asked, viewer)
      workAfterWrite()
      const value = await requestTurnstile.pass(viewer.id, () => onBehalfOf(viewer.id, act))
      return { ok: true, value }
    } catch (error) {
      unstable_rethrow(error)
      noteRefusal(error, { headers: await headers(), method: 'POST', url: '/(action)' })
      const problem = toProblem(error)
      if (problem.status === 500) logError('action', error)
      return { ok: false, problem }
    }
  }
}

/**
 * Writes an audit line about a viewer's action in the present request: the person, the credential and the
 * address.
 */
export async function auditAs(viewer: Viewer, event: AuditEvent, fields: AuditFields): Promise<void> {
  const address = clientAddress({ headers: await headers() })
  audit(event, { person: viewer.id, credential: viewer.credential.kind, address, ...fields })
}
