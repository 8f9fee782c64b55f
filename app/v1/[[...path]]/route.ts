import * as gateway from '@/lib/server/api/gateway'
import { passUnstored } from '@/lib/server/gateway/pass-unstored'
import { routesBelow } from '@/lib/server/http/routes'

/** A reply takes as long as the model takes; hosts with a limit cut it here. */
export const maxDuration = 300

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow(
  '/v1',
  Object.values(gateway),
  passUnstored,
)
