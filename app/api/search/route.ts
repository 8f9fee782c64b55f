import { defineMethods, defineRoute, reading } from '@/lib/server'
import { searchQuery } from '@/lib/server/api/schemas/search-schemas'
import { inCalledChat, searchChats } from '@/lib/server/use-cases'

/** `GET /api/search?q=&chat=&role=&limit=&offset=`: what the viewer's chats say, on every branch, best first. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods({
  GET: defineRoute(async ({ request, viewer, services }) => {
    const { q, chat, role, limit, offset } = searchQuery.parse(
      Object.fromEntries(new URL(request.url).searchParams),
    )
    const ports = reading(request, services.ports)
    const search = (within: { chatId?: string }) =>
      searchChats(ports, {
        ...within,
        ownerId: viewer.id,
        query: q,
        ...(role === undefined ? {} : { roles: [role] }),
        ...(limit === undefined ? {} : { limit }),
        ...(offset === undefined ? {} : { offset }),
      })
    const page =
      chat === undefined
        ? await search({})
        : await inCalledChat(ports, { ownerId: viewer.id, chatId: chat }, search)
    return Response.json(page, { headers: { 'cache-control': 'no-store' } })
  }),
})
