import { sendMessage } from '@/lib/server/api/commands'
import { routeOf } from '@/lib/server/api/operation'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(sendMessage)
