import { z } from 'zod'
import { instant, isStorable, named, shortName } from './fields'

/** The most a context may hold: fragments, and the characters of their JSON. */
const MAX_FRAGMENTS = 500
const MAX_CHARACTERS = 256_000
const MAX_MEMORIES = 200
const MAX_TOOLS = 128

const rendererNames = ['xml', 'markdown', 'toml', 'toon'] as const

const fraction = (min: number, max: number) => z.number().min(min).max(max).optional()

export const modelSettings = z
  .strictObject({
    temperature: fraction(0, 2),
    top_p: fraction(0, 1),
    presence_penalty: fraction(-2, 2),
    frequency_penalty: fraction(-2, 2),
    max_output_tokens: z.int().min(1).max(10_000_000).optional(),
    seed: z.int().optional(),
  })
  .meta({ description: 'What is absent is the model’s own choice' })

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()])
const value = z.union([plain, z.array(z.unknown()), z.record(z.string(), z.unknown())])

const fragment = z.strictObject({
  id: z.string().min(1).max(128),
  name: z
    .string()
    .max(64)
    .regex(
      /^[^\s\d<>&"'=/.-][^\s<>&"'=/]*$/,
      'A name begins with a letter, and has no spaces and none of < > & " \' = /',
    )
    .meta({ examples: ['role', 'hint', 'guardrail'] }),
  data: value.meta({ description: 'Text, or an object or list of texts' }),
  enabled: z.boolean().default(true).meta({ description: 'False: kept, and left out of the prompt' }),
  group: z.string().min(1).max(64).optional().meta({ description: 'For the person: not part of the prompt' }),
})

const memory = z.strictObject({
  key: z.string().trim().min(1).max(100),
  text: z.string().trim().min(1).max(2000),
  message_id: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'The reply that remembered it; null for one that a person wrote' }),
})

const tools = z
  .record(z.string().min(1).max(64), z.enum(['always', 'ask', 'never']))
  .refine((chosen) => Object.keys(chosen).length <= MAX_TOOLS, `At most ${MAX_TOOLS} tools`)
  .meta({ description: 'By name: whether a call waits for you. A tool that is not listed is not offered' })

const isUnique = (keys: readonly string[]): boolean => new Set(keys).size === keys.length

const someFragments = z
  .array(fragment.extend({ id: fragment.shape.id.optional() }))
  .max(MAX_FRAGMENTS)
  .refine((all) => isUnique(all.flatMap(({ id }) => id ?? [])), 'Two fragments have the same id')
  .refine(
    (all) => JSON.stringify(all).length <= MAX_CHARACTERS,
    `The fragments have more than ${MAX_CHARACTERS} characters together`,
  )

/** Everything that the next reply of a branch is asked with, besides the messages. */
export const chatContext = named(
  'Context',
  z.object({
    context_id: z.string().nullable().meta({ description: 'Null for the default one' }),
    model: z.string().meta({ examples: ['openai:gpt-6-luna'] }),
    renderer: z.enum(rendererNames).meta({ description: 'The format of the system prompt' }),
    settings: modelSettings,
    fragments: z.array(fragment).meta({ description: 'In the order of the system prompt' }),
    memories: z.array(memory),
    tools,
    left_out: z
      .array(z.string())
      .meta({ description: 'The messages that the prompt is without (`leave-out`); the chain keeps them' }),
    move_seq: z.int().optional().meta({
      description: 'After a change with `joins`: its place in the log of the chat',
    }),
    tools_lowered: z.literal(true).optional().meta({
      description: 'The chat comes from elsewhere, where tools ran without asking; here none does yet',
    }),
  }),
)

export type ChatContext = z.infer<typeof chatContext>
export type ContextFragmentJson = z.infer<typeof fragment>

/** A context that branches of a chat have, whatever their model. */
export const contextInUse = named(
  'ContextInUse',
  z.object({
    context_id: z.string().meta({ description: 'Of the newest of its branches' }),
    branch_ids: z.array(z.string()).meta({ description: 'The branches it is in force on' }),
    fragments: z.int(),
    memories: z.int(),
    tokens: z.int().meta({ description: 'About how long its system prompt is' }),
    opening: z
      .string()
      .meta({ description: 'The part of it that the fewest others have, shortened to 160 characters' }),
  }),
)

export type ContextInUse = z.infer<typeof contextInUse>

/** A change of a context. A part that is left out stays as it is. */
export const contextChange = named(
  'ContextChange',
  z
    .strictObject({
      expected_context_id: z
        .string()
        .nullable()
        .meta({ description: 'The context that is replaced: `context_id` as you have read it' }),
      begins: z.literal(true).optional().meta({
        description:
          'Where you have no chat of this id, an empty one begins with this context; `branch` is then the id of its branch',
      }),
      joins: z.int().positive().nullable().optional().meta({
        description:
          '`move_seq` of your change just before: Undo takes both back as one. Where something else was done meanwhile, they stay two. Null for the first one, to be told its `move_seq`',
      }),
      ...z
        .strictObject({
          model: z.string().min(1),
          renderer: z.enum(rendererNames),
          settings: modelSettings,
          fragments: someFragments,
          memories: z
            .array(memory)
            .max(MAX_MEMORIES)
            .refine((all) => isUnique(all.map(({ key }) => key)), 'Two memories have the same key'),
          tools,
        })
        .partial().shape,
    })
    .meta({ description: 'A part that is left out stays as it is' }),
)

export type ContextChange = z.infer<typeof contextChange>

/** The most that a person's instructions for new chats may hold, in characters. */
const MAX_INSTRUCTIONS = 20_000

/** The start of a person's new chats, besides the usual instructions. */
export const chatDefaults = named(
  'ChatDefaults',
  z.object({
    instructions: z
      .string()
      .meta({ description: 'Added to the instructions of every new chat; empty for none' }),
    model: z
      .string()
      .nullable()
      .meta({ description: 'Null for the server’s choice', examples: ['openai:gpt-6-luna'] }),
    tools,
  }),
)

export type ChatDefaults = z.infer<typeof chatDefaults>

/** A change of the settings of new chats. */
export const chatDefaultsChange = named(
  'ChatDefaultsChange',
  z
    .strictObject({
      instructions: z.string().max(MAX_INSTRUCTIONS).refine(isStorable, 'Instructions are plain text'),
      model: z.string().min(1).max(300).refine(isStorable).nullable(),
      tools,
    })
    .partial()
    .meta({ description: 'A part that is left out stays as it is' }),
)

export type ChatDefaultsChange = z.infer<typeof chatDefaultsChange>

export const presetName = shortName.meta({ examples: ['Travel agent'] })

/** The parts of a context that a person saves; memories belong to a branch, and the model is chosen anew. */
export const presetContent = named(
  'ContextPresetContent',
  z.strictObject({
    fragments: someFragments,
    renderer: z.enum(rendererNames).optional(),
    settings: modelSettings.optional(),
    tools: tools.optional(),
  }),
)

export type PresetContent = z.infer<typeof presetContent>

export const contextPreset = named(
  'ContextPreset',
  z.object({
    id: z.string(),
    name: presetName,
    content: presetContent,
    created_at: instant,
    updated_at: instant,
  }),
)

/** A context that a person has saved under a name. */
export type ContextPreset = z.infer<typeof contextPreset>
