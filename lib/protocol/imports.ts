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
