import 'server-only'
import { z } from 'zod'
import { UnauthenticatedError, type Viewer } from '@/lib/auth'
import { newId } from '@/lib/events'
import { instant, named, shortName } from '@/lib/protocol/fields'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import type { KeyScope } from '@/lib/store'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'
const until = '2027-03-14T00:00:00.000Z'

const id = z.string().meta({ examples: [exampleId] })
const name = shortName.meta({ examples: ['nightly report'] })
const scopes = z
  .array(z.enum(['read', 'write']))
  .min(1)
  .max(2)
  .meta({ description: '`read` for `GET`, `write` for everything that changes something' })
const expiresAt = instant.nullable()

const createKeyRequest = named(
  'CreateKeyRequest',
  z.strictObject({
    name: name.meta({ description: 'A name to recognise the key by' }),
    scopes: scopes.optional(),
    expires_at: expiresAt.optional().meta({
      description: 'When the key expires; unless given, it is valid until you revoke it',
    }),
  }),
)

const createdKey = named(
  'CreatedKey',
  z.object({
    id,
    name,
    key: z.string().meta({ description: 'The key itself, shown only here', examples: ['rk_…'] }),
    scopes,
    expires_at: expiresAt,
  }),
)

const apiKey = named(
  'ApiKey',
  z.object({
    id,
    name,
    hint: z.string().meta({ description: 'The first characters of the key', examples: ['rk_4fZ8q'] }),
    scopes,
    created_at: instant,
    expires_at: expiresAt,
    last_used_at: instant.nullable().meta({ description: 'To the minute; null for a key not used yet' }),
  }),
)

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export const createKey = defineOperation({
  id: 'createKey',
  method: 'post',
  path: '/api/keys',
  tag: 'Access',
  summary: 'Create API key',
  description:
    'Creates a key for a script or an agent that acts as you: send it as `Authorization: Bearer rk_…`. Its scopes say what it may do: `read` allows `GET`, `write` allows everything else, creating and revoking keys included. A key that is created with another key has no other scopes than that one and expires no later; without `scopes` or `expires_at` it gets those of that key. The keys of a guest end when the guest signs in to an account. The server keeps only a hash of a key.',
  input: { body: createKeyRequest },
  example: { name: 'nightly report', scopes: ['read'], expires_at: until },
  output: {
    status: 201,
    description: 'The key. Copy it now: it is not shown again.',
    schema: createdKey,
    example: {
      id: exampleId,
      name: 'nightly report',
      scopes: ['read'],
      expires_at: until,
      key: 'rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA',
    },
  },
  refusals: { too_many_keys: 'There are too many keys. Revoke one you do not need.' },
  async use({ request, viewer, ownerId, services: { apiKeys, limits }, body }) {
    const within = withinOwn(viewer, body)
    const [keyId, most] = [newId(), limits.keys]
    const made = await apiKeys.create(ownerId, { id: keyId, name: body.name, ...within }, most)
    // the account was deleted meanwhile
    if (!made) throw new UnauthenticatedError(viewer.credential.kind)
    if (!made.made) {
      const detail = 'There are too many keys. Revoke one you do not need.'
      const details = { limit: 'keys', allowed: most, used: made.used }
      throw new RequestRefusedError(409, 'too_many_keys', detail, details)
    }
    audit('key_made', {
      person: ownerId,
      key: keyId,
      scopes: within.scopes.join(' '),
      address: clientAddress(request),
      by: viewer.credential.kind === 'key' ? viewer.credential.id : undefined,
    })
    return {
      id: keyId,
      name: body.name,
      key: made.key,
      scopes: within.scopes,
      expires_at: iso(within.expiresAt),
    }
  },
})

/** Scopes and expiry of a new key, limited to those of its creator. */
function withinOwn(
  { credential }: Viewer,
  { scopes: asked, expires_at }: z.output<typeof createKeyRequest>,
): { scopes: readonly KeyScope[]; expiresAt: number | null } {
  const own = credential.kind === 'key' ? (credential.scopes ?? []) : (['read', 'write'] as const)
  const ownEnd = credential.expiresAt ?? null
  const given = { scopes: asked ?? own, expiresAt: expires_at ? Date.parse(expires_at) : ownEnd }
  if (given.expiresAt !== null && given.expiresAt <= Date.now()) {
    throw new RequestRefusedError(400, 'invalid', 'expires_at: A key expires in the future.')
  }
  const isWider = given.scopes.some((scope) => !own.includes(scope))
  if (isWider || (ownEnd !== null && (given.expiresAt === null || given.expiresAt > ownEnd))) {
    throw new RequestRefusedError(
      403,
      'insufficient_scope',
      'A key can only create keys that may do no more than itself and expire no later.',
    )
  }
  return given
}

export const listKeys = defineOperation({
  id: 'listKeys',
  method: 'get',
  path: '/api/keys',
  tag: 'Access',
  summary: 'List API keys',
  output: {
    description:
      'Your keys, newest first, with those that expired in the last month; without the keys themselves.',
    schema: named('ApiKeyList', z.object({ keys: z.array(apiKey) })),
    example: {
      keys: [
        {
          id: exampleId,
          name: 'nightly report',
          hint: 'rk_4fZ8q',
          scopes: ['read', 'write'],
          created_at: '2026-03-14T09:26:53.589Z',
          expires_at: null,
          last_used_at: null,
        },
      ],
    },
  },
  async use({ ownerId, services }) {
    const keys = await services.apiKeys.list(ownerId)
    return {
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        hint: key.hint,
        scopes: key.scopes,
        created_at: iso(key.createdAt),
        expires_at: iso(key.expiresAt),
        last_used_at: iso(key.lastUsedAt),
      })),
    }
  },
})

export const revokeKey = defineOperation({
  id: 'revokeKey',
  method: 'delete',
  path: '/api/keys/{id}',
  tag: 'Access',
  names: 'Key',
  summary: 'Revoke API key',
  input: { params: z.object({ id: z.string().meta({ description: 'The key' }) }) },
  output: {
    status: 204,
    description: 'The key is no longer valid. Streams opened with it end within a second.',
  },
  async use({ request, ownerId, params, services: { apiKeys, streams } }) {
    await apiKeys.revoke(ownerId, params.id)
    audit('key_revoked', { person: ownerId, key: params.id, address: clientAddress(request) })
    await streams.endRevoked()
    return undefined
  },
})
