import { routeOf } from '@/lib/server/api/operation'
import { openToPages } from '@/lib/server/oauth/answers'
import { answerServerMetadata } from '@/lib/server/oauth/metadata'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openToPages(
  routeOf({ method: 'get', handle: answerServerMetadata }),
)
