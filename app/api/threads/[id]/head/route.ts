import { routeOf } from '@/lib/server/api/operation'
import { readHead } from '@/lib/server/api/threads'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readHead)
