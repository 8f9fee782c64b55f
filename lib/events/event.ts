import { z } from 'zod'

/**
 * Every type of fact in the log, with its payload. Names are those of the source
 * documents (`seeds/004`) and of DESIGN.md §9. Bodies are not repeated here: an event names its message
 * by id, and the read side joins the text back in.
 */
export const payloads = {
  // in a thread's stream (stream id = branch id); forks inherit these
  ThreadCreated: z.object({
    thread_id: z.string(),
    name: z.string(),
    head_message_id: z.string().nullable(),
    context_id: z.string().nullable(),
  }),
  ThreadForked: z.object({ parent_thread_id: z.string(), from_event_number: z.number().int().nonnegative() }),
  UserMessageAdded: z.object({ message_id: z.string(), role: z.string() }),
  LLMResponseGenerated: z.object({
    ai_message_id: z.string(),
    reply_to: z.string().nullable(),
    status: z.enum(['completed', 'stopped', 'failed']),
    model: z.string().nullable(),
    usage: z
      .object({
        inputTokens: z.number().optional(),
        /** of the input, read from the provider's cache */
        cachedTokens: z.number().optional(),
        outputTokens: z.number().optional(),
      })
      .nullable(),
  }),
  CheckpointCreated: z.object({
    checkpoint_id: z.string(),
    ai_message_id: z.string(),
    context_id: z.string().nullable(),
  }),
  ContextChanged: z.object({ context_id: z.string() }),
  ReplyFailed: z.object({ run_id: z.string(), reply_to: z.string().nullable(), reason: z.string() }),
  ReplyStopped: z.object({ run_id: z.string(), reply_to: z.string().nullable() }),
  // in the chat's own stream (stream id = chat id); no fork inherits these
  BranchSwitched: z.object({ branch_id: z.string(), from_branch_id: z.string().nullable() }),
  BranchRenamed: z.object({ branch_id: z.string(), name: z.string(), previous_name: z.string() }),
  BranchTitled: z.object({ branch_id: z.string(), title: z.string() }),
  BranchArchived: z.object({ branch_id: z.string() }),
  BranchRestored: z.object({ branch_id: z.string() }),
  /** the id is null for a checkpoint that was saved before events carried it */
  CheckpointSaved: z.object({
    name: z.string(),
    message_id: z.string(),
    checkpoint_id: z.string().nullable(),
  }),
  CheckpointMoved: z.object({ name: z.string(), message_id: z.string(), from_message_id: z.string() }),
  CheckpointRemoved: z.object({ name: z.string(), message_id: z.string() }),
  ChatRenamed: z.object({ title: z.string() }),
  ChatUpdated: z.object({ metadata: z.record(z.string(), z.unknown()) }),
} as const

export type EventType = keyof typeof payloads
type EventPayload<T extends EventType> = z.infer<(typeof payloads)[T]>

/** One stored fact, as the log returns it. */
export type LoggedEvent<T extends EventType = EventType> = T extends EventType
  ? {
      id: string
      chatId: string
      /** position within the chat, in commit order; cursors of one chat use it */
      seq: number
      /** branch id for a thread's event, chat id for the chat's own */
      streamId: string
      /** position within the stream, counted along the thread's whole inherited history; 1 is the first */
      eventNumber: number
      type: T
      /** version of the payload's shape */
      version: number
      payload: EventPayload<T>
      createdAt: number
    }
  : never

/** An event before it has a place in the log. */
export type Fact<T extends EventType = EventType> = T extends EventType
  ? { streamId: string; type: T; payload: EventPayload<T> }
  : never

/** Types whose payload has changed since the first version, and the version it has today. */
const changed: Partial<Record<EventType, number>> = { CheckpointSaved: 2 }

/** The version in which a payload is written today; older ones are upcast when they are read. */
export const payloadVersion = (type: EventType): number => changed[type] ?? 1

export const isEventType = (type: string): type is EventType => Object.hasOwn(payloads, type)
