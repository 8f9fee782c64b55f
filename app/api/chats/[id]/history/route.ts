import { compressedJson, defineMethods, defineRoute, reading } from '@/lib/server'
import { graphQuery } from '@/lib/server/api/schemas/chat-schemas'
import { readHistory } from '@/lib/server/use-cases'

/** `GET /api/chats/{id}/history?since=`: what moved in the chat, all of it or what did after that event. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { since } = graphQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const history = await readHistory(reading(request, services.ports), {
      ownerId: viewer.id,
      chatId: params.id,
      ...(since === undefined ? {} : { since }),
    })
    return compressedJson(request, history)
  }),
})
