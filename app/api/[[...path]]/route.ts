import { noRoute } from '@/lib/server/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute
