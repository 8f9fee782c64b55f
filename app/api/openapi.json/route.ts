import { describeApi } from '@/lib/server/api/openapi'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(describeApi)
