import { z } from 'zod'
import { instant, named } from './fields'

const sought = z.string().min(1).max(500)

export const bisectJudge = named(
  'BisectJudge',
  z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('person') }),
      z.strictObject({ kind: z.literal('text'), text: sought }),
      z.strictObject({ kind: z.literal('pattern'), pattern: sought }),
      z.strictObject({ kind: z.literal('model'), what: sought }),
    ])
    .meta({
      description:
        'Who says whether a reply still says it: you, a text or a regular expression (JavaScript’s, without regard to case; one that backtracks without end is refused) that the reply holds, or a model, which is told what it is: `claims that Braga is in the south`',
    }),
)

const bisect = named(
  'Bisect',
  z.object({
    bisect_id: z.string(),
    message_id: z.string().meta({ description: 'The reply that is looked into' }),
    question_id: z.string(),
    turns: z.int().meta({ description: 'Turns above its question' }),
    judge: bisectJudge,
    runs: z.int().meta({ description: 'How often the question was asked again' }),
    runs_left: z.int().meta({ description: 'At most, and one more to make sure' }),
    asked_below: z
      .int()
      .nullable()
      .meta({ description: 'The question is asked below the first so many turns' }),
    asked_without: z.int().nullable().meta({ description: 'The question is asked without this turn' }),
    thread_id: z.string().nullable().meta({ description: 'Where it is asked' }),
    reply: z.string().nullable().meta({ description: 'The reply that waits for your word' }),
    status: z.enum(['running', 'waiting', 'paused', 'done', 'stopped']),
    reason: z.string().nullable().meta({ description: 'Why it is paused, or what was found' }),
    found_message_id: z
      .string()
      .nullable()
      .meta({ description: 'The first message of the turn that made the difference' }),
    confirmed: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether it is no longer said without that turn alone' }),
    created_at: instant,
    ended_at: instant.nullable(),
  }),
)

export const bisectReport = named('BisectReport', z.object({ bisects: z.array(bisect) }))

/** The bisects of a chat. */
export type BisectReport = z.infer<typeof bisectReport>
