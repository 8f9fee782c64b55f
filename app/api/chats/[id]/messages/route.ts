import { defineMethods, defineRoute, reading } from '@/lib/server'
import { windowQuery } from '@/lib/server/api/schemas/chat-schemas'
import { inCalledChat, readWindow } from '@/lib/server/use-cases'

/** `GET /api/chats/{id}/messages?branch=&before=&limit=`: a window of a branch's chain. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { branch, before, limit } = windowQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const called = { ownerId: viewer.id, chatId: params.id }
    const ports = reading(request, services.ports)
    const window = await inCalledChat(ports, called, (chat) =>
      readWindow(ports, {
        ...chat,
        ...(branch ? { branch } : {}),
        ...(before === undefined ? {} : { before }),
        ...(limit === undefined ? {} : { limit }),
      }),
    )
    return Response.json(window, { headers: { 'cache-control': 'no-store' } })
  }),
})
