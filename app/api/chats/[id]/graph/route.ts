import { compressedJson, defineMethods, defineRoute, reading } from '@/lib/server'
import { columnsQuery } from '@/lib/server/api/schemas/chat-schemas'
import { inCalledChat, readGraph, readPackedGraph } from '@/lib/server/use-cases'

/**
 * `GET /api/chats/{id}/graph?since=`: the skeleton of the graph, or what changed after that event. The whole of it comes
 * with `?columns=nodes` in columns, as the page wants it for a long chat.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { since, columns } = columnsQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    const called = { ownerId: viewer.id, chatId: params.id }
    const ports = reading(request, services.ports)
    const read = columns && since === undefined ? readPackedGraph : readGraph
    const graph = await inCalledChat<object>(ports, called, (chat) =>
      read(ports, since === undefined ? chat : { ...chat, since }),
    )
    return compressedJson(request, graph)
  }),
})
