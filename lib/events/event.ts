import { z } from 'zod'
import type { MessageId } from './ids'
import { memberRoles } from './member-role'
import { mergeModes } from './merge-note'

/** The kinds of moves: what a person or a program does to branches and checkpoints, and can undo (DESIGN.md §10). A turn is no move. */
export const moveKinds = [
  'branch',
  'switch',
  'rename',
  'archive',
  'unarchive',
  'checkpoint',
  'remove-checkpoint',
  'context',
  'keep',
  'pick',
  'merge',
  'compact',
  'steer',
  'leave-out',
  'put-back',
  'receive',
] as const

export type MoveKind = (typeof moveKinds)[number]

/** The position of an event in its chat's log; null for none. */
const seqOrNone = z.number().int().positive().nullable()

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
        /** tokens of the input that were read from the provider's cache */
        cachedTokens: z.number().optional(),
        /** tokens of the input that were written into the provider's cache */
        cacheWriteTokens: z.number().optional(),
        outputTokens: z.number().optional(),
      })
      .nullable(),
    /** written in another program, and brought in: its tokens do not count as used here */
    imported: z.literal(true).optional(),
  }),
  CheckpointCreated: z.object({
    checkpoint_id: z.string(),
    ai_message_id: z.string(),
    context_id: z.string().nullable(),
  }),
  /** `from_context_id` where a person changed it on purpose: the context that Undo puts in force again */
  ContextChanged: z.object({
    context_id: z.string().nullable(),
    from_context_id: z.string().nullable().optional(),
  }),
  /** stands where `UserMessageAdded` or `LLMResponseGenerated` stands for a message that is no copy */
  MessageCopied: z.object({ message_id: z.string(), role: z.string(), copied_from_id: z.string() }),
  /** the head of a thread moved without a new message: Undo or Redo of a merge or a pick */
  HeadMoved: z.object({ head_message_id: z.string().nullable(), from_message_id: z.string().nullable() }),
  /** the message before it says what came from the other thread, up to `source_message_id` */
  ThreadsMerged: z.object({
    message_id: z.string(),
    source_thread_id: z.string(),
    source_message_id: z.string(),
    base_message_id: z.string().nullable(),
    mode: z.enum(mergeModes),
  }),
  /** the message before it stands for the chain of the other thread up to `until_message_id` */
  ThreadCompacted: z.object({
    message_id: z.string(),
    source_thread_id: z.string(),
    until_message_id: z.string(),
  }),
  ReplayStarted: z.object({
    replay_id: z.string(),
    source_thread_id: z.string(),
    from_message_id: z.string(),
    model: z.string(),
  }),
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
  /** the agent that writes on a branch goes on with another one from its next call on; null: it goes on where it is */
  AgentSteered: z.object({
    branch_id: z.string(),
    to_branch_id: z.string().nullable(),
    from_branch_id: z.string().nullable(),
  }),
  /** that call has come: the agent goes on there */
  AgentFollowed: z.object({ branch_id: z.string(), to_branch_id: z.string() }),
  /** messages came from another server: `remote` is its name here; null for a push, which names none */
  ObjectsReceived: z.object({ remote: z.string().nullable(), messages: z.number().int().nonnegative() }),
  /** the branch of a copy was brought here, on a branch of its own */
  ProposalOpened: z.object({
    proposal_id: z.string(),
    number: z.number().int().positive(),
    author: z.string(),
    title: z.string(),
    branch_id: z.string(),
    message_id: z.string(),
  }),
  /** `to_branch_id` has all or some of it now */
  ProposalTaken: z.object({
    proposal_id: z.string(),
    number: z.number().int().positive(),
    to_branch_id: z.string(),
    mode: z.enum([...mergeModes, 'messages']),
  }),
  ProposalDeclined: z.object({ proposal_id: z.string(), number: z.number().int().positive() }),
  /** a person reads the chat from now on, or has another role there */
  MemberAdded: z.object({ member_id: z.string(), name: z.string(), role: z.enum(memberRoles) }),
  MemberRemoved: z.object({ member_id: z.string(), name: z.string() }),
  ChatRenamed: z.object({ title: z.string() }),
  ChatUpdated: z.object({ metadata: z.record(z.string(), z.unknown()) }),
  /** the events from `first_seq` to this one are one move; `previous` is what Undo takes back after it */
  MoveMade: z.object({
    move: z.enum(moveKinds),
    first_seq: z.number().int().positive(),
    previous: seqOrNone,
  }),
  /** `move_seq` names the `MoveMade`; `undo_seq` is what the next Undo takes back, `previous` what Redo makes again after it */
  MoveUndone: z.object({
    move_seq: z.number().int().positive(),
    undo_seq: seqOrNone,
    previous: seqOrNone,
  }),
  /** `redo_seq` is what the next Redo makes again, `previous` what Undo takes back after it */
  MoveRedone: z.object({
    move_seq: z.number().int().positive(),
    redo_seq: seqOrNone,
    previous: seqOrNone,
  }),
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

/** True for a type that this version knows. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(payloads, type)

/** The message that an event records on its thread; undefined for an event that records none. */
export function recordedMessage({ type, payload }: LoggedEvent): MessageId | undefined {
  if (type === 'LLMResponseGenerated') return payload.ai_message_id
  return type === 'UserMessageAdded' || type === 'MessageCopied' ? payload.message_id : undefined
}
