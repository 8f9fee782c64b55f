import { routeOf } from '@/lib/server/api/operation'
import { addToolServer, listToolServers } from '@/lib/server/api/tools'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(listToolServers, addToolServer)
