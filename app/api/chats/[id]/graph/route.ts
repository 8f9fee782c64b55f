import { defineMethods, defineRoute } from '@/lib/server'
import { graphQuery } from '@/lib/server/api/schemas/chat-schemas'
import { readGraph } from '@/lib/server/use-cases'

/** `GET /api/chats/{id}/graph?since=`: the skeleton of the graph, or what changed after that event. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  GET: defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
    const { since } = graphQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
    return Response.json(
      await readGraph(services.ports, {
        ownerId: viewer.id,
        chatId: params.id,
        ...(since === undefined ? {} : { since }),
      }),
      { headers: { 'cache-control': 'no-store' } },
    )
  }),
})
