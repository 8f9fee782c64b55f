import { defineMethods, defineRoute, readBody } from '@/lib/server'
import { stopRequest } from '@/lib/server/api/schemas/chat-schemas'
import { inCalledChat, stopReply } from '@/lib/server/use-cases'

/** `POST /api/chat/{id}/stop`: ends a reply where it stands; asked again, it answers the same. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  POST: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { runId } = stopRequest.parse(await readBody(request))
    const called = { ownerId: viewer.id, chatId: params.id }
    const { ports } = services
    return Response.json(await inCalledChat(ports, called, (chat) => stopReply(ports, { ...chat, runId })))
  }),
})
