import { routesBelow } from '@/lib/server/http/routes'
import { answerMcp } from '@/lib/server/mcp/endpoint'

/** A tool may wait for a reply; hosts with a limit cut it here. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/mcp', [
  { method: 'post', path: '/mcp', handle: answerMcp },
])
