import { previewSummary } from '@/lib/server/api/merges'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(previewSummary)
