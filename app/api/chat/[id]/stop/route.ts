import { z } from 'zod'
import { defineRoute, readBody } from '@/lib/server'
import { stopReply } from '@/lib/server/use-cases'

const body = z.object({ runId: z.string().min(1).max(128) })

/** `POST /api/chat/{id}/stop`: ends a reply where it stands; asked again, it answers the same. */
export const POST = defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
  const { runId } = body.parse(await readBody(request))
  return Response.json(await stopReply(services.ports, { ownerId: viewer.id, chatId: params.id, runId }))
})
