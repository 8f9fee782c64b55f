import { routeOf } from '@/lib/server/api/operation'
import { previewReplay } from '@/lib/server/api/replays'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(previewReplay)
