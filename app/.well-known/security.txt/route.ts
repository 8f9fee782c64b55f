import { securityText } from '@/lib/server/pages/security-text'

export const dynamic = 'force-dynamic'

/** `GET /.well-known/security.txt` (RFC 9116): whom to tell of a hole, when the operator has named an address. */
export const GET = securityText
