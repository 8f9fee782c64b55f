import 'server-only'
import { headers } from 'next/headers'
import type { Viewer } from '@/lib/auth'
import { type AuditEvent, type AuditFields, audit } from '@/lib/runtime'
import { clientAddress } from './client-address'

/** Writes an audit line about what a viewer has done in the request under way: who, by what credential, from where. */
export async function auditAs(viewer: Viewer, event: AuditEvent, fields: AuditFields): Promise<void> {
  const address = clientAddress({ headers: await headers() })
  audit(event, { person: viewer.id, credential: viewer.credential.kind, address, ...fields })
}
