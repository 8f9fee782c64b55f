import { routeOf } from '@/lib/server/api/operation'
import { listBranches } from '@/lib/server/api/threads'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listBranches)
