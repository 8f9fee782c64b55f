import { securityText } from '@/lib/server/pages/security-text'

export const dynamic = 'force-dynamic'

/** `GET /.well-known/security.txt` (RFC 9116): the contact for reports of security problems, if the operator has set one. */
export const GET = securityText
