import 'server-only'
import { z } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import { NotFoundError } from '@/lib/context'
import { openSession, ownAccount } from '@/lib/protocol/account'
import { named, shortName } from '@/lib/protocol/fields'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { deviceWords } from '../identity/device-words'
import { defineOperation } from './operation'

const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'
const at = '2026-03-14T09:26:53.589Z'
const inOwn = (what: string) => z.object({ id: z.string().meta({ description: what }) })

const iso = (ms: number): string => new Date(ms).toISOString()

export const readAccount = defineOperation({
  id: 'readAccount',
  method: 'get',
  path: '/api/account',
  tag: 'Access',
  asks: 'session',
  summary: 'Read account',
  output: {
    description: 'You, as this server knows you.',
    schema: ownAccount,
    example: {
      name: 'Ada',
      email: 'ada@example.org',
      guest: false,
      has_password: true,
      services: [],
      passkeys: [{ id: exampleId, name: 'Laptop', created_at: at }],
      created_at: at,
    },
  },
  async use({ viewer, ownerId, services: { database } }) {
    const [[person], ways, passkeys] = await Promise.all([
      database.query<{ name: string; email: string; guest: boolean; createdAt: number }>(
        `select name, email, is_anonymous as guest, epoch_ms(created_at) as "createdAt" from "user" where id = $1`,
        [ownerId],
      ),
      database.query<{ provider: string; hasPassword: boolean }>(
        `select provider_id as provider, password is not null as "hasPassword" from account where user_id = $1
        order by provider_id`,
        [ownerId],
      ),
      database.query<{ id: string; name: string | null; createdAt: number }>(
        `select id, name, epoch_ms(created_at) as "createdAt" from passkey where user_id = $1 order by created_at, id`,
        [ownerId],
      ),
    ])
    if (!person) throw new UnauthenticatedError('session')
    const { name, email, guest, createdAt } = person
    return {
      name,
      email: guest || viewer.credential.kind === 'owner' ? null : email,
      guest,
      has_password: ways.some(({ hasPassword }) => hasPassword),
      services: ways.map(({ provider }) => provider).filter((provider) => provider !== 'credential'),
      passkeys: passkeys.map((key) => ({
        id: key.id,
        name: key.name ?? 'Passkey',
        created_at: iso(key.createdAt),
      })),
      created_at: iso(createdAt),
    }
  },
})

export const changeAccount = defineOperation({
  id: 'changeAccount',
  method: 'put',
  path: '/api/account',
  tag: 'Access',
  asks: 'session',
  summary: 'Change account',
  input: {
    body: named('ChangeAccountRequest', z.strictObject({ name: shortName })),
  },
  example: { name: 'Ada' },
  output: { status: 204, description: 'This is your name now.' },
  async use({ ownerId, body, services: { database } }) {
    await database.query('update "user" set name = $2, updated_at = now() where id = $1', [
      ownerId,
      body.name,
    ])
    return undefined
  },
})

export const listSessions = defineOperation({
  id: 'listSessions',
  method: 'get',
  path: '/api/account/sessions',
  tag: 'Access',
  asks: 'session',
  summary: 'List sessions',
  output: {
    description: 'The browsers that are signed in, the last seen first.',
    schema: named('SessionList', z.object({ sessions: z.array(openSession) })),
    example: {
      sessions: [
        {
          id: exampleId,
          device: 'Firefox on Linux',
          current: true,
          signed_in_at: at,
          last_seen_at: at,
        },
      ],
    },
  },
  async use({ ownerId, viewer, services: { database } }) {
    const rows = await database.query<{
      id: string
      agent: string | null
      createdAt: number
      seenAt: number
    }>(
      `select id, user_agent as agent, epoch_ms(created_at) as "createdAt", epoch_ms(updated_at) as "seenAt"
      from session where user_id = $1 and expires_at > clock_timestamp() order by updated_at desc, id limit 200`,
      [ownerId],
    )
    return {
      sessions: rows.map(({ id, agent, createdAt, seenAt }) => ({
        id,
        device: deviceWords(agent ?? ''),
        current: id === viewer.credential.id,
        signed_in_at: iso(createdAt),
        last_seen_at: iso(seenAt),
      })),
    }
  },
})

export const endSession = defineOperation({
  id: 'endSession',
  method: 'delete',
  path: '/api/account/sessions/{id}',
  tag: 'Access',
  asks: 'session',
  names: 'Session',
  summary: 'End session',
  input: { params: inOwn('The session') },
  output: { status: 204, description: 'The session and its streams have ended.' },
  async use({ request, ownerId, params, services: { database, streams } }) {
    const gone = await database.query('delete from session where id = $1 and user_id = $2 returning id', [
      params.id,
      ownerId,
    ])
    if (gone.length === 0) throw new NotFoundError('session', params.id)
    await streams.endRevoked()
    audit('sessions_ended', { person: ownerId, sessions: 1, address: clientAddress(request) })
    return undefined
  },
})

export const renamePasskey = defineOperation({
  id: 'renamePasskey',
  method: 'patch',
  path: '/api/account/passkeys/{id}',
  tag: 'Access',
  asks: 'session',
  names: 'Passkey',
  summary: 'Rename passkey',
  input: {
    params: inOwn('The passkey'),
    body: named('RenamePasskeyRequest', z.strictObject({ name: shortName })),
  },
  example: { name: 'Laptop' },
  output: { status: 204, description: 'This is what it is called now.' },
  async use({ ownerId, params, body, services: { database } }) {
    const found = await database.query(
      'update passkey set name = $3 where id = $1 and user_id = $2 returning id',
      [params.id, ownerId, body.name],
    )
    if (found.length === 0) throw new NotFoundError('passkey', params.id)
    return undefined
  },
})

export const removePasskey = defineOperation({
  id: 'removePasskey',
  method: 'delete',
  path: '/api/account/passkeys/{id}',
  tag: 'Access',
  asks: 'session',
  names: 'Passkey',
  summary: 'Remove passkey',
  input: { params: inOwn('The passkey') },
  output: { status: 204, description: 'It does not sign in any more.' },
  async use({ request, ownerId, params, services: { database } }) {
    const gone = await database.query('delete from passkey where id = $1 and user_id = $2 returning id', [
      params.id,
      ownerId,
    ])
    if (gone.length === 0) throw new NotFoundError('passkey', params.id)
    audit('passkey_removed', { person: ownerId, address: clientAddress(request) })
    return undefined
  },
})
