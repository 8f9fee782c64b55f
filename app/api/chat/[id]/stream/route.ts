import { checkStreams, defineMethods, defineRoute, replyStreamResponse } from '@/lib/server'
import { followQuery } from '@/lib/server/api/schemas/chat-schemas'
import { followReply, inCalledChat } from '@/lib/server/use-cases'

/**
 * `GET /api/chat/{id}/stream?branch=&since=`: the live reply from its first part on; 204 when nothing runs. `since` is
 * the log position the page knows: what happened between then and now comes along.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    checkStreams({ request, viewer, services })
    const { branch, since } = followQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const called = { ownerId: viewer.id, chatId: params.id }
    const stream = await inCalledChat(services.ports, called, (chat) =>
      followReply(services.ports, {
        ...chat,
        called: params.id,
        ...(branch ? { branch } : {}),
        ...(since === undefined ? {} : { since }),
      }),
    )
    if (!stream) return new Response(null, { status: 204 })
    return replyStreamResponse({ request, viewer, services }, stream)
  }),
})
