import { disconnectApp } from '@/lib/server/api/oauth'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(disconnectApp)
