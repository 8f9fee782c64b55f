import 'server-only'
import { z } from 'zod'
import { component } from '../components'
import { instant } from './common'

const id = z.string().meta({ examples: ['019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d33'] })
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'A name is plain text')
  .meta({ examples: ['nightly report'] })

const scopes = z
  .array(z.enum(['read', 'write']))
  .min(1)
  .max(2)
  .meta({ description: '`read` for asking, `write` for everything that changes something' })
const expiresAt = instant.nullable()

export const createKeyRequest = component(
  'CreateKeyRequest',
  z.strictObject({
    name: name.meta({ description: 'What it is for, so that you know it again' }),
    scopes: scopes.optional(),
    expires_at: expiresAt.optional().meta({
      description: 'When it ends by itself; without, it is good until it is revoked',
    }),
  }),
)

export const createdKey = component(
  'CreatedKey',
  z.object({
    id,
    name,
    key: z.string().meta({ description: 'The key itself. It is shown this once', examples: ['rk_…'] }),
    scopes,
    expires_at: expiresAt,
  }),
)

const apiKey = component(
  'ApiKey',
  z.object({
    id,
    name,
    hint: z.string().meta({ description: 'How it begins', examples: ['rk_4fZ8q'] }),
    scopes,
    created_at: instant,
    expires_at: expiresAt,
    last_used_at: instant.nullable().meta({ description: 'To the minute; null while it was never used' }),
  }),
)

export const keyList = component('ApiKeyList', z.object({ keys: z.array(apiKey) }))
