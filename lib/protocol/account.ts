import { z } from 'zod'
import { instant, named } from './fields'

const passkey = named('Passkey', z.object({ id: z.string(), name: z.string(), created_at: instant }))

/** A person as the settings show them. */
export const ownAccount = named(
  'Account',
  z.object({
    name: z.string(),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Null for a guest, and for the owner of a machine on which nobody signs in' }),
    guest: z.boolean(),
    has_password: z.boolean(),
    services: z
      .array(z.string())
      .meta({ description: 'The other services that the account signs in with', examples: [['github']] }),
    passkeys: z.array(passkey),
    created_at: instant,
  }),
)

export type OwnAccount = z.infer<typeof ownAccount>

/** One browser that is signed in. */
export const openSession = named(
  'Session',
  z.object({
    id: z.string(),
    device: z
      .string()
      .meta({ description: 'The browser and the system, in words', examples: ['Firefox on Linux'] }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
    signed_in_at: instant,
    last_seen_at: instant.meta({ description: 'To the day' }),
  }),
)

export type OpenSession = z.infer<typeof openSession>

/** A key of a script, as its owner sees it in a list. */
export interface ListedKey {
  id: string
  name: string
  hint: string
  scopes: ('read' | 'write')[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** An app that a person has let in. */
export const connectedApp = named(
  'ConnectedApp',
  z.object({
    id: z.string(),
    name: z.string().meta({ description: 'What the app calls itself' }),
    place: z.string().meta({ description: 'Where it is told: a host, or this computer' }),
    scopes: z.array(z.enum(['read', 'write'])),
    connected_at: instant,
    last_used_at: instant
      .nullable()
      .meta({ description: 'To the minute; null for one that was not used yet' }),
  }),
)

export type ConnectedApp = z.infer<typeof connectedApp>
