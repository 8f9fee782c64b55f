import { z } from 'zod'
import { defineRoute } from '@/lib/server'
import { readGraph } from '@/lib/server/use-cases'

const query = z.object({ since: z.coerce.number().int().nonnegative().optional() })

/** `GET /api/chats/{id}/graph?since=`: the skeleton of the graph, or what changed after that event. */
export const GET = defineRoute<{ id: string }>(async ({ request, params, viewer, services }) => {
  const { since } = query.parse(Object.fromEntries(new URL(request.url).searchParams))
  return Response.json(
    await readGraph(services.ports, {
      ownerId: viewer.id,
      chatId: params.id,
      ...(since === undefined ? {} : { since }),
    }),
    { headers: { 'cache-control': 'no-store' } },
  )
})
