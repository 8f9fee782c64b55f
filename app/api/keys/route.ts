import { defineMethods, defineRoute, readBody } from '@/lib/server'
import { createKeyRequest } from '@/lib/server/api/schemas/key-schemas'
import { clientAddress } from '@/lib/server/http/client-address'
import { createKey, listKeys } from '@/lib/server/use-cases'

const unstored = { 'cache-control': 'no-store' }

/** `/api/keys`: makes a key for a script or an agent, shown once; lists the keys there are. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = defineMethods({
  GET: defineRoute(async ({ viewer, services }) =>
    Response.json(await listKeys(services, viewer.id), { headers: unstored }),
  ),
  POST: defineRoute(async ({ request, viewer, services }) => {
    const asked = createKeyRequest.parse(await readBody(request))
    const made = await createKey(services, { viewer, asked, address: clientAddress(request) })
    return Response.json(made, { status: 201, headers: unstored })
  }),
})
