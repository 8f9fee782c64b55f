import { z } from 'zod'
import { named } from './fields'

const tokens = z.number().nonnegative()

const usageLine = z.object({
  model: z.string().meta({ description: '`unknown` for replies that do not say which model wrote them' }),
  replies: z.int().nonnegative(),
  input_tokens: tokens,
  cached_tokens: tokens.meta({ description: 'Of the input, read from the provider’s cache' }),
  cache_write_tokens: tokens.meta({ description: 'Of the input, written into it' }),
  output_tokens: tokens,
  cost_usd: z.number().nonnegative().nullable().meta({ description: 'Null where the price is not known' }),
})

/** Usage of one model's replies. */
export type UsageLine = z.infer<typeof usageLine>

/** Tokens and cost of the replies in a person's chats. */
export const usageReport = named(
  'Usage',
  z.object({
    from: z.iso.date().meta({ description: 'The first day' }),
    days: z.array(usageLine.extend({ day: z.iso.date() })).meta({ description: 'By day, in UTC, and model' }),
    chats: z
      .array(z.object({ chat_id: z.string(), title: z.string().nullable(), models: z.array(usageLine) }))
      .meta({ description: 'The 20 with the most tokens' }),
  }),
)

export type UsageReport = z.infer<typeof usageReport>

/** Tokens and cost of a chat's replies. */
export const chatUsageReport = named(
  'ChatUsage',
  z.object({
    total: z.array(usageLine).meta({ description: 'Every reply once, however many branches share it' }),
    branches: z
      .array(z.object({ id: z.string(), models: z.array(usageLine) }))
      .meta({ description: 'Every reply of a branch, those it inherits included' }),
  }),
)

export type ChatUsageReport = z.infer<typeof chatUsageReport>
