import { noRoute } from '@/lib/server/http/no-route'

/** Every address of the API that has no route of its own. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute
