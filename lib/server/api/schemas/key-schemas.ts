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
  .meta({ examples: ['nightly report'] })

export const createKeyRequest = component(
  'CreateKeyRequest',
  z.strictObject({ name: name.meta({ description: 'What it is for, so that you know it again' }) }),
)

export const createdKey = component(
  'CreatedKey',
  z.object({
    id,
    name,
    key: z.string().meta({ description: 'The key itself. It is shown this once', examples: ['rk_…'] }),
  }),
)

const apiKey = component(
  'ApiKey',
  z.object({
    id,
    name,
    hint: z.string().meta({ description: 'How it begins', examples: ['rk_4fZ8q'] }),
    created_at: instant,
    last_used_at: instant.nullable().meta({ description: 'To the minute; null while it was never used' }),
  }),
)

export const keyList = component('ApiKeyList', z.object({ keys: z.array(apiKey) }))
