import { uploadFile } from '@/lib/server/api/files'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(uploadFile)
