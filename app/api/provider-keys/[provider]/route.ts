import { routeOf } from '@/lib/server/api/operation'
import { removeProviderKey, saveProviderKey } from '@/lib/server/api/provider-keys'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(saveProviderKey, removeProviderKey)
