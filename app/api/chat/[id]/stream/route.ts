import { createUIMessageStreamResponse } from 'ai'
import { z } from 'zod'
import { defineRoute } from '@/lib/server'
import { followReply } from '@/lib/server/use-cases'

const since = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable()

/**
 * `GET /api/chat/{id}/stream?branch=&since=`: the live reply from its first part on; 204 when nothing runs. `since` is
 * the log position the page knows: what happened between then and now comes along.
 */
export const GET = defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
  const query = new URL(request.url).searchParams
  const branch = query.get('branch')
  const known = since.parse(query.get('since'))
  const stream = await followReply(services.ports, {
    ownerId: viewer.id,
    chatId: params.id,
    ...(branch ? { branch } : {}),
    ...(known === null ? {} : { since: known }),
  })
  return stream ? createUIMessageStreamResponse({ stream }) : new Response(null, { status: 204 })
})
