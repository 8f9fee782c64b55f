import { z } from 'zod'
import { instant, named } from './fields'

const count = z.int().nonnegative()

/** An import, as the API gives it. */
export const importReport = named(
  'ImportReport',
  z.object({
    id: z.string(),
    file: z.string().meta({ description: 'The name of the file', examples: ['chatgpt-export.zip'] }),
    size: count.meta({ description: 'Of the file, in bytes' }),
    source: z.string().meta({ description: 'The program that wrote the file', examples: ['chatgpt'] }),
    status: z.enum(['queued', 'running', 'done', 'cancelled', 'failed']),
    reason: z.string().nullable().meta({ description: 'Why it failed' }),
    chats: z.object({
      found: count.meta({ description: 'Read so far' }),
      imported: count.meta({ description: 'New ones, and those that have grown' }),
      unchanged: count.meta({ description: 'Here already, with nothing new in them' }),
      left: count.meta({ description: 'Not chosen' }),
    }),
    messages: z.object({
      found: count,
      imported: count,
      skipped: count.meta({ description: 'Those that could not be kept; `problems` says why' }),
    }),
    problems: z
      .array(
        z.object({
          chat: z.string().meta({ description: 'Its title' }),
          chat_id: z.string().optional().meta({ description: 'Where the rest of it was imported' }),
          reason: z.string(),
        }),
      )
      .meta({ description: 'The first 500' }),
    problem_count: count,
    examples: z
      .array(z.object({ chat_id: z.string(), title: z.string().nullable() }))
      .meta({ description: 'The first chats that were imported' }),
    created_at: instant,
    ended_at: instant.nullable(),
  }),
)

export type ImportReport = z.infer<typeof importReport>

export const importList = named('ImportList', z.object({ imports: z.array(importReport) }))

export type ImportList = z.infer<typeof importList>

export const startedImport = named('StartedImport', z.object({ import_id: z.string() }))

/** The chats of a file that are meant, by their ids in its preview: these alone, or all but these. */
export interface ImportChoice {
  only?: string[] | undefined
  except?: string[] | undefined
}

/** Ids that a choice names, at most: a preview lists no more. */
const MAX_CHOSEN = 5000

const chosenIds = z
  .string()
  .regex(/^[\w-]{1,24}(?:,[\w-]{1,24})*$/, 'They are ids of a preview, with commas between them')
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= MAX_CHOSEN, `At most ${MAX_CHOSEN} ids`)
  .optional()

/** A choice as fields of a form. */
export const choiceFields = z
  .object({
    only: chosenIds.meta({
      description: 'Ids of the chats to import, as the preview gives them, with commas between them',
    }),
    except: chosenIds.meta({ description: 'Ids of the chats to leave out; all others are imported' }),
  })
  .refine(({ only, except }) => !(only && except), 'Give “only” or “except”, not both')

const previewedChat = z.object({
  id: z.string().meta({ description: 'Names it in `only` and `except`' }),
  title: z.string(),
  source: z.string().meta({ description: 'The program that it is from' }),
  messages: count,
  branches: count.meta({ description: 'Branches that the import makes of it' }),
  size: count.meta({ description: 'Of its text in the file, in bytes' }),
  from: instant.nullable().meta({ description: 'When the first message was written' }),
  to: instant.nullable().meta({ description: 'When the last message was written' }),
  standing: z.enum(['new', 'changed', 'here']).meta({
    description:
      '`changed`: an earlier import brought it, and the file holds more; `here`: nothing is new in it',
  }),
})

export type PreviewedChat = z.infer<typeof previewedChat>

/** The chats of a file before anything is stored. */
export const importPreview = named(
  'ImportPreview',
  z.object({
    file: z.string(),
    size: count,
    source: z
      .string()
      .meta({ description: 'The program that wrote the file; empty where none of it could be read' }),
    chats: z
      .array(previewedChat)
      .meta({ description: `In the order of the file, ${MAX_CHOSEN.toLocaleString('en')} at most` }),
    problems: z
      .array(z.object({ chat: z.string(), reason: z.string() }))
      .meta({ description: 'What will not be as it was; the first 500' }),
    problem_count: count,
    rest: z.boolean().meta({ description: 'More of the file follows, which was not looked at' }),
    next: count.optional().meta({ description: 'The part holds no chats; one from this byte on does' }),
  }),
)

export type ImportPreview = z.infer<typeof importPreview>

/** Fields of a form that say which part of a large file a preview sends. */
export const partFields = z.object({
  size: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'Bytes of the whole file, where `file` is a part of it' }),
  from: z.coerce
    .number()
    .int()
    .nonnegative()
    .default(0)
    .meta({ description: 'The byte of the file that the part begins with' }),
  length: z.coerce.number().int().positive().optional().meta({
    description:
      'Bytes of the part; those sent behind them are the last ones of the file, where a zip has its directory',
  }),
})

/** A session of an agent on the server's own machine. */
const agentSession = named(
  'AgentSession',
  z.object({
    id: z.string(),
    client: z.enum(['claude-code', 'codex', 'opencode', 'pi']),
    title: z.string().meta({ description: 'Its title, or its first words' }),
    project: z.string().nullable().meta({ description: 'The folder that it worked in' }),
    messages: count,
    at: instant.nullable().meta({ description: 'When something was last said' }),
  }),
)

export type AgentSession = z.infer<typeof agentSession>

export const agentSessions = named(
  'AgentSessions',
  z.object({
    sessions: z.array(agentSession),
    problems: z.array(z.string()).meta({ description: 'What could not be looked at' }),
    import_ids: z.array(z.string()).meta({ description: 'The imports that were begun, one for each client' }),
  }),
)

export type AgentSessions = z.infer<typeof agentSessions>
