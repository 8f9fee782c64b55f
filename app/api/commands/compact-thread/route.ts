import { routeOf } from '@/lib/server/api/operation'
import { compactThread } from '@/lib/server/api/verbs/merges'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(compactThread)
