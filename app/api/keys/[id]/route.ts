import { defineMethods, defineRoute } from '@/lib/server'
import { revokeKey } from '@/lib/server/use-cases'

/** `DELETE /api/keys/{id}`: revokes a key at once and for good. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  DELETE: defineRoute<{ id: string }>(
    async ({ params, viewer, services }) => {
      await revokeKey(services, { ownerId: viewer.id, id: params.id })
      return new Response(null, { status: 204 })
    },
    { names: 'Key' },
  ),
})
