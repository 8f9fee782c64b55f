import 'server-only'
import type { z } from 'zod'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import type { createdKey, keyList } from './api/schemas/key-schemas'
import { RequestRefusedError } from './problem'

/** Makes a key, and tells it this once. */
export async function createKey(
  { apiKeys }: Services,
  { ownerId, name }: { ownerId: string; name: string },
): Promise<z.input<typeof createdKey>> {
  const made = await apiKeys.create(ownerId, { id: newId(), name })
  if (!made) {
    throw new RequestRefusedError(
      409,
      'too_many_keys',
      'There are too many keys. Revoke one you do not need.',
    )
  }
  return made
}

/** A person's keys, newest first. */
export async function listKeys({ apiKeys }: Services, ownerId: string): Promise<z.input<typeof keyList>> {
  const keys = await apiKeys.list(ownerId)
  return {
    keys: keys.map(({ id, name, hint, createdAt, lastUsedAt }) => ({
      ...{ id, name, hint },
      created_at: new Date(createdAt).toISOString(),
      last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
    })),
  }
}

/** Revokes a key at once. Rejects with `NotFoundError` when it is missing or someone else's. */
export const revokeKey = ({ apiKeys }: Services, { ownerId, id }: { ownerId: string; id: string }) =>
  apiKeys.revoke(ownerId, id)
