import { removePasskey, renamePasskey } from '@/lib/server/api/accounts'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(renamePasskey, removePasskey)
