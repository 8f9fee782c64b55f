import { routeOf } from '@/lib/server/api/operation'
import { listTools } from '@/lib/server/api/tools'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listTools)
