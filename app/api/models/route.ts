import { listModels } from '@/lib/server/api/models'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listModels)
