import { defineMethods, defineRoute } from '@/lib/server'
import { clientAddress } from '@/lib/server/http/client-address'
import { revokeKey } from '@/lib/server/use-cases'

/** `DELETE /api/keys/{id}`: revokes a key at once and for good. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods<{ id: string }>({
  DELETE: defineRoute<{ id: string }>(
    async ({ request, params, viewer, services }) => {
      const address = clientAddress(request)
      await revokeKey(services, { ownerId: viewer.id, id: params.id, address })
      return new Response(null, { status: 204 })
    },
    { names: 'Key' },
  ),
})
