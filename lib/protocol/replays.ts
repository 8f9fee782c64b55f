import { z } from 'zod'
import { instant, named } from './fields'

const replayStatus = z.enum(['running', 'paused', 'done', 'stopped'])

const cost = z.number().nullable().meta({ description: 'In US dollars; null where a price is not known' })

const replay = named(
  'Replay',
  z.object({
    replay_id: z.string(),
    thread_id: z.string().meta({ description: 'Where it goes on' }),
    source_thread_id: z.string().meta({ description: 'The thread whose messages are asked again' }),
    from_message_id: z.string().meta({ description: 'The first of those messages' }),
    asked: z.int().meta({ description: 'How many of them were asked' }),
    total: z.int(),
    model: z.string().nullable().meta({ description: 'The model that was chosen for it' }),
    context_id: z.string(),
    status: replayStatus,
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is paused or stopped; null where a person did that' }),
    created_at: instant,
    ended_at: instant.nullable(),
    replies: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: cost,
  }),
)

export const replayReport = named('ReplayReport', z.object({ replays: z.array(replay) }))

export const replayPreview = named(
  'ReplayPreview',
  z.object({
    turns: z.int().meta({ description: 'How many messages are asked' }),
    model: z.string(),
    input_tokens: z.int().meta({ description: 'About what the prompts come to' }),
    output_tokens: z.int().meta({ description: 'The replies, if they are as long as they were' }),
    cost_usd: cost,
    missing: z.array(z.string()).meta({
      description: 'What is not there any more of what the messages were asked with, a sentence each',
    }),
  }),
)

/** The replays of a chat, with the usage of their replies. */
export type ReplayReport = z.infer<typeof replayReport>

/** Estimate of a replay, before it begins. */
export type ReplayPreview = z.infer<typeof replayPreview>
