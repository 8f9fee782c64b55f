import { routeOf } from '@/lib/server/api/operation'
import { listThreads } from '@/lib/server/api/threads'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listThreads)
