import 'server-only'
import { z } from 'zod'
import { component } from '../components'
import { wholeNumber } from './common'

export const searchQuery = z.object({
  q: z
    .string()
    .max(500)
    .refine((text) => !text.includes('\0'), 'must not contain the NUL character')
    .meta({
      description:
        'Words that a message must all hold, each as a word or the beginning of one; the first twelve count. Anything else is punctuation.',
    }),
  chat: z.string().min(1).max(128).optional().meta({ description: 'Only this chat' }),
  role: z.enum(['user', 'assistant']).optional().meta({ description: 'Only what you said, or only replies' }),
  limit: wholeNumber(1, 100).optional().meta({ description: 'How many at most; 30 unless told' }),
  offset: wholeNumber(0, 10_000).optional().meta({ description: 'How many to leave out at the beginning' }),
})

const searchHit = component(
  'SearchHit',
  z.object({
    chatId: z.string(),
    chatTitle: z.string().nullable(),
    messageId: z.string(),
    role: z.string(),
    createdAt: z.number().meta({ description: 'Milliseconds since 1970' }),
    branch: z.object({ id: z.string(), name: z.string() }).nullable().meta({
      description: 'Where to read it: of the branches that hold it the latest used',
    }),
    rank: z.number().meta({ description: 'Higher is better' }),
    snippet: z.string().meta({
      description: 'Part of its text as HTML: escaped, with `<mark>` around what was found',
    }),
  }),
)

export const searchPage = component(
  'SearchPage',
  z.object({
    hits: z.array(searchHit),
    more: z.boolean().meta({ description: 'There are others after these' }),
    partial: z.boolean().meta({
      description: 'Not everything could be looked through yet: asked again, there may be more',
    }),
  }),
)
