import { describeApi } from '@/lib/server/api/openapi'
import { routeOf } from '@/lib/server/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(describeApi)
