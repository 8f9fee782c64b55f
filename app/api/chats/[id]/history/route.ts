import { compressedJson, defineMethods, defineRoute, reading } from '@/lib/server'
import { graphQuery } from '@/lib/server/api/schemas/chat-schemas'
import { inCalledChat, readHistory } from '@/lib/server/use-cases'

/** `GET /api/chats/{id}/history?since=`: what moved in the chat, all of it or what did after that event. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { since } = graphQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const called = { ownerId: viewer.id, chatId: params.id }
    const ports = reading(request, services.ports)
    const history = await inCalledChat(ports, called, (chat) =>
      readHistory(ports, { ...chat, ...(since === undefined ? {} : { since }) }),
    )
    return compressedJson(request, history)
  }),
})
