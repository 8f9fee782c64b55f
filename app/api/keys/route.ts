import { createKey, listKeys } from '@/lib/server/api/keys'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(createKey, listKeys)
