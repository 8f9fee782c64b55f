import { routeOf } from '@/lib/server/api/operation'
import { mergeThreads } from '@/lib/server/api/verbs/merges'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(mergeThreads)
