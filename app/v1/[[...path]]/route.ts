import { noRouteBut } from '@/lib/server/api/operation'
import { passUnstored } from '@/lib/server/gateway/pass-unstored'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRouteBut(passUnstored)
