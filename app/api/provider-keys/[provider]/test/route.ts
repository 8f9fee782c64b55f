import { routeOf } from '@/lib/server/api/operation'
import { testProviderKey } from '@/lib/server/api/provider-keys'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(testProviderKey)
