import { z } from 'zod'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import { id, milliseconds, named } from './fields'

const searchHit = named(
  'SearchHit',
  z.object({
    chatId: id<ChatId>(),
    chatTitle: z.string().nullable(),
    chatArchived: z.boolean(),
    messageId: id<MessageId>(),
    /** `user`, `assistant`, or another name a library caller used */
    role: z.string(),
    createdAt: milliseconds,
    /** archived branches come last */
    branch: z
      .object({
        id: id<BranchId>(),
        name: z.string(),
        title: z.string().meta({ description: 'The words it is shown by' }),
        lane: z.int(),
        count: z.int().meta({ description: 'Messages from its root to its head' }),
      })
      .nullable()
      .meta({ description: 'Where to read it: the branch that was used last of those that hold it' }),
    rank: z.number().meta({ description: 'Higher is better' }),
    snippet: z.string().meta({
      description: 'Part of its text as HTML: escaped, with `<mark>` around the words that were found',
    }),
  }),
)

export const searchPage = named(
  'SearchPage',
  z.object({
    hits: z.array(searchHit),
    more: z.boolean().meta({ description: 'Whether there are more after these' }),
    partial: z.boolean().meta({
      description: 'Whether some messages are not indexed yet: a later search may find more',
    }),
  }),
)

/** A message that holds the words searched for. */
export type SearchHit = z.infer<typeof searchHit>

/** Hits of a search, best first. */
export type SearchPage = z.infer<typeof searchPage>
