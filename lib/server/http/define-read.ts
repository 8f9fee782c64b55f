import 'server-only'
import type { z } from 'zod'
import type { Viewer } from '@/lib/auth'
import type { Ports } from '@/lib/conversations'
import type { Services } from '@/lib/runtime'
import { defineMethods, defineRoute } from './define-route'
import { reading } from './reading'

interface ReadCall<Query, Params> {
  ports: Ports
  ownerId: string
  query: Query
  params: Params
  request: Request
  viewer: Viewer
  services: Services
}

/** The methods of an address that only reads threads: a `GET` that takes `schema` as its query and answers JSON, or as it says. */
export const defineRead = <Schema extends z.ZodType, Params = Record<string, never>>(
  schema: Schema,
  use: (call: ReadCall<z.output<Schema>, Params>) => Promise<object>,
) =>
  defineMethods<Params>({
    GET: defineRoute<Params>(
      async ({ request, params, viewer, services }) => {
        const query = schema.parse(Object.fromEntries(new URL(request.url).searchParams))
        // a stream ends itself, and what it reads is told to others too
        const streams = request.headers.get('accept')?.includes('text/event-stream')
        const ports = streams ? services.ports : reading(request, services.ports)
        const found = await use({ ports, ownerId: viewer.id, query, params, request, viewer, services })
        if (found instanceof Response) return found
        return Response.json(found, { headers: { 'cache-control': 'no-store' } })
      },
      { names: 'Thread' },
    ),
  })
