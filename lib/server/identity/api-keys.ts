import 'server-only'
import type { z } from 'zod'
import { UnauthenticatedError, type Viewer } from '@/lib/auth'
import { newId } from '@/lib/events'
import { audit, type Services } from '@/lib/runtime'
import type { KeyScope } from '@/lib/store'
import type { createdKey, createKeyRequest, keyList } from '../api/schemas/key-schemas'
import { RequestRefusedError } from '../http/problem'

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/**
 * Makes a key, and tells it this once. One that is asked for with another key can do no more than that one, and lasts no
 * longer. Rejects with `RequestRefusedError` when more is asked for, or there are too many keys.
 */
export async function createKey(
  { apiKeys, limits }: Services,
  { viewer, asked, address }: { viewer: Viewer; asked: z.output<typeof createKeyRequest>; address: string },
): Promise<z.input<typeof createdKey>> {
  const { scopes, expiresAt } = withinOwn(viewer, asked)
  const [id, most] = [newId(), limits.person.keys]
  const made = await apiKeys.create(viewer.id, { id, name: asked.name, scopes, expiresAt }, most)
  // the account went meanwhile
  if (!made) throw new UnauthenticatedError(viewer.credential.kind)
  if (!made.made) {
    throw new RequestRefusedError(
      409,
      'too_many_keys',
      'There are too many keys. Revoke one you do not need.',
      { limit: 'keys', allowed: most, used: made.used },
    )
  }
  audit('key_made', {
    ...{ person: viewer.id, key: id, scopes: scopes.join(' '), address },
    by: viewer.credential.kind === 'key' ? viewer.credential.id : undefined,
  })
  return { id, name: asked.name, key: made.key, scopes: [...scopes], expires_at: time(expiresAt) }
}

/** What a new key may do and how long, given what its maker may. */
function withinOwn(
  { credential }: Viewer,
  { scopes: askedScopes, expires_at }: z.output<typeof createKeyRequest>,
): { scopes: readonly KeyScope[]; expiresAt: number | null } {
  const own = credential.kind === 'key' ? (credential.scopes ?? []) : (['read', 'write'] as const)
  const ownEnd = credential.expiresAt ?? null
  const scopes = askedScopes ?? own
  const expiresAt = expires_at ? Date.parse(expires_at) : ownEnd
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw new RequestRefusedError(400, 'invalid', 'expires_at: A key ends in the future.')
  }
  const isWider = scopes.some((scope) => !own.includes(scope))
  if (isWider || (ownEnd !== null && (expiresAt === null || expiresAt > ownEnd))) {
    throw new RequestRefusedError(
      403,
      'insufficient_scope',
      'A key makes keys that can do no more than itself, and last no longer.',
    )
  }
  return { scopes, expiresAt }
}

/** A person's keys, newest first. */
export async function listKeys({ apiKeys }: Services, ownerId: string): Promise<z.input<typeof keyList>> {
  const keys = await apiKeys.list(ownerId)
  return {
    keys: keys.map(({ id, name, hint, scopes, createdAt, expiresAt, lastUsedAt }) => ({
      ...{ id, name, hint, scopes },
      created_at: new Date(createdAt).toISOString(),
      expires_at: time(expiresAt),
      last_used_at: time(lastUsedAt),
    })),
  }
}

/**
 * Revokes a key at once, and ends the streams it has open. Rejects with `NotFoundError` when it is missing or someone
 * else's.
 */
export async function revokeKey(
  { apiKeys, streams }: Services,
  { ownerId, id, address }: { ownerId: string; id: string; address: string },
): Promise<void> {
  await apiKeys.revoke(ownerId, id)
  audit('key_revoked', { person: ownerId, key: id, address })
  await streams.endRevoked()
}
