import { noRoute } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute
