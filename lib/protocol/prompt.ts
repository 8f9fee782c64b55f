import { z } from 'zod'
import { modelSettings } from './context'
import { named } from './fields'

const tokens = z.int().nonnegative()
const dollars = z.number().nonnegative().nullable()

/** The prompt of a reply, exactly as it is sent, with its tokens and its cost. */
export const sentPrompt = named(
  'Prompt',
  z.object({
    model: z.string().meta({ examples: ['openai:gpt-6-luna'] }),
    context_id: z.string().nullable().meta({ description: 'The context in force; null for the default one' }),
    system: z.string().nullable().meta({ description: 'The system prompt' }),
    messages: z
      .array(z.looseObject({ role: z.string() }))
      .meta({ description: 'Messages of the AI SDK, as every provider’s request is made from them' }),
    tools: z
      .array(z.object({ name: z.string(), description: z.string(), input_schema: z.unknown() }))
      .meta({ description: 'As the provider is told of them' }),
    settings: modelSettings,
    tokens: z
      .object({
        system: tokens,
        tools: tokens.optional().meta({ description: 'Absent without tools' }),
        messages: z.array(
          z.object({
            message_id: z.string(),
            tokens,
            sent: tokens.meta({
              description:
                'How many of `messages` begin with it, in their order; 0 for one that was joined to the one before it, or left out because it is empty',
            }),
          }),
        ),
        total: tokens,
        window: tokens
          .nullable()
          .meta({ description: 'The most the model takes; null where it is not known' }),
      })
      .meta({ description: 'Estimates, about four characters to a token' }),
    cost: z
      .object({
        estimate_usd: dollars.meta({ description: 'Of this prompt, without the reply' }),
        actual_usd: dollars.meta({ description: 'Of prompt and reply, as the provider counted them' }),
      })
      .meta({ description: 'Null where the model’s price or its count is not known' }),
    cache: z
      .object({
        read: tokens,
        written: tokens,
        branch: z.object({ read: tokens, estimate_usd: dollars }).meta({
          description: 'Of the prompt of a branch from here, without its own question; an estimate',
        }),
      })
      .nullable()
      .meta({
        description:
          'Tokens that the provider reads from its cache and writes into it: of a reply as it counted them, else an estimate from what it was asked in the last five minutes. Null where it is not known to keep prompts',
      }),
    compacted: z
      .object({
        until_message_id: z.string().meta({ description: 'The last message that the summary stands for' }),
        summary: z.string().meta({ description: 'Empty while it is not written: the next reply writes it' }),
      })
      .nullable()
      .meta({ description: 'The oldest messages, where all of them are too long for the model’s window' }),
  }),
)

export type SentPrompt = z.infer<typeof sentPrompt>
