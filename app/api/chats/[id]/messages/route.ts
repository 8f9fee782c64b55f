import { defineMethods, defineRoute, reading } from '@/lib/server'
import { windowQuery } from '@/lib/server/api/schemas/chat-schemas'
import { readWindow } from '@/lib/server/use-cases'

/** `GET /api/chats/{id}/messages?branch=&before=&limit=`: a window of a branch's chain. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { branch, before, limit } = windowQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const window = await readWindow(reading(request, services.ports), {
      ownerId: viewer.id,
      chatId: params.id,
      ...(branch ? { branch } : {}),
      ...(before === undefined ? {} : { before }),
      ...(limit === undefined ? {} : { limit }),
    })
    return Response.json(window, { headers: { 'cache-control': 'no-store' } })
  }),
})
