import { z } from 'zod'
import { named } from './fields'

/** A stored file, as the API gives it. */
export const storedFile = named(
  'File',
  z.object({
    id: z.string().meta({ examples: ['019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10'] }),
    sha256: z.string().meta({ description: 'Of its bytes, in hex' }),
    media_type: z.string().meta({ description: 'What its content is', examples: ['image/png'] }),
    name: z.string().meta({ examples: ['map.png'] }),
    size: z.int().positive().meta({ description: 'In bytes' }),
  }),
)

export type StoredFile = z.infer<typeof storedFile>
