import { readGraph } from '@/lib/server/api/chats'
import { routeOf } from '@/lib/server/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(readGraph)
