import { defineMethods, defineRoute, readBody } from '@/lib/server'
import { stopRequest } from '@/lib/server/api/schemas/chat-schemas'
import { stopReply } from '@/lib/server/use-cases'

/** `POST /api/chat/{id}/stop`: ends a reply where it stands; asked again, it answers the same. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  POST: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { runId } = stopRequest.parse(await readBody(request))
    return Response.json(await stopReply(services.ports, { ownerId: viewer.id, chatId: params.id, runId }))
  }),
})
