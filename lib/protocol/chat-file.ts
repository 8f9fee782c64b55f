import { z } from 'zod'
import type { BranchId, ChatId, CheckpointId, ContextId, EventType, MessageId } from '@/lib/events'
import { MAX_TAG, MAX_TAGS } from './chat-tags'
import { instant, named } from './fields'

/** Header of a file of ours. A program that reads version 1 refuses a higher one. */
export const CHAT_FORMAT = 'ramify.chat'
export const CHAT_FORMAT_VERSION = 1

const idOf = <Id extends string>() => z.string().min(1).max(128) as unknown as z.ZodType<Id, Id>
const name = z.string().min(1).max(200)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()

const chat = z
  .strictObject({
    id: idOf<ChatId>(),
    title: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    activeBranchId: idOf<BranchId>().meta({ description: 'The branch that the chat opens on' }),
    createdAt: instant,
    updatedAt: instant,
    pinned: z.literal(true).optional(),
    archived: z.literal(true).optional(),
    tags: z.array(z.string().min(1).max(MAX_TAG)).max(MAX_TAGS).optional(),
  })
  .meta({ description: 'The chat itself, and how its owner keeps it in the list' })

const context = z
  .strictObject({
    id: sha256.meta({
      description:
        'SHA-256 of the JSON of `fragments`, `model` and, where there is one, `setup`: keys in order, no spaces',
    }) as unknown as z.ZodType<ContextId, ContextId>,
    model: z.string().nullable(),
    fragments: z.array(z.unknown()),
    setup: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ description: 'What messages were asked with besides the conversation: fragments, model, settings' })

const branch = z
  .strictObject({
    id: idOf<BranchId>(),
    name,
    title: z.string().min(1).max(200).optional().meta({ description: 'What a model called it' }),
    headId: idOf<MessageId>().nullable().meta({ description: 'Its last message; null while it is empty' }),
    parentBranchId: idOf<BranchId>().optional().meta({ description: 'The branch that it left' }),
    forkedAtId: idOf<MessageId>()
      .nullable()
      .optional()
      .meta({ description: 'The last message that both share; null for a branch that begins anew' }),
    contextId: idOf<ContextId>().nullable(),
    createdAt: instant,
    archivedAt: instant.optional(),
  })
  .meta({ description: 'A line of the conversation: everything above `headId`' })

const checkpoint = z.strictObject({
  id: idOf<CheckpointId>(),
  name,
  messageId: idOf<MessageId>(),
  createdAt: instant,
})

const message = z
  .strictObject({
    id: idOf<MessageId>(),
    parentId: idOf<MessageId>().nullable(),
    mergeParentId: idOf<MessageId>()
      .optional()
      .meta({ description: 'The second parent of a merge or a summary' }),
    copiedFromId: idOf<MessageId>().optional().meta({ description: 'The message that it is a copy of' }),
    role: z.string().min(1).max(128).meta({ description: '`user`, `assistant`, `system` or another name' }),
    type: z.string().optional(),
    status: z.enum(['stopped', 'failed']).optional().meta({ description: 'Of a reply that was cut off' }),
    contextId: idOf<ContextId>().optional(),
    model: z.string().optional().meta({ description: 'Of a reply: `provider:model`' }),
    usage: z
      .strictObject({
        inputTokens: z.number().optional(),
        cachedTokens: z.number().optional(),
        cacheWriteTokens: z.number().optional(),
        outputTokens: z.number().optional(),
      })
      .optional(),
    imported: z
      .literal(true)
      .optional()
      .meta({ description: 'Of a reply that came from another program: it used nothing here' }),
    createdAt: instant,
    data: z.unknown().meta({
      description: 'The message itself: mostly a UI message of the AI SDK, with its `parts` and `metadata`',
    }),
  })
  .meta({ description: 'A message, after those it answers, was merged from or is a copy of' })

const summary = z
  .strictObject({
    messageId: idOf<MessageId>(),
    leftOut: z.string().default('').meta({ description: 'The hash of the ids that the prompt leaves out' }),
    text: z.string(),
    model: z.string(),
  })
  .meta({ description: 'Stands for the messages up to `messageId` in prompts that they are too long for' })

const file = z
  .strictObject({
    id: z.string().regex(/^[\w-]{1,128}$/),
    name: z.string().min(1).max(255),
    mediaType: z.string(),
    size: count,
    sha256,
    content: z.base64().optional().meta({ description: 'Its bytes' }),
    entry: z.string().optional().meta({ description: 'In a zip: the entry that holds its bytes' }),
  })
  .meta({ description: 'A file that messages name as `/api/files/{id}`' })

const place = { seq: z.int().positive(), at: instant }

const event = z
  .union([
    z.strictObject({ ...place, branchId: idOf<BranchId>(), messageId: idOf<MessageId>() }),
    z.strictObject({
      ...place,
      branchId: idOf<BranchId>().optional(),
      type: z.string() as unknown as z.ZodType<EventType, EventType>,
      payload: z.record(z.string(), z.unknown()),
    }),
  ])
  .meta({
    description:
      'One event of the log. One that records a message names it; every other one has the type and payload that `GET /api/threads/{id}/events` shows. Without a branch it is about the chat',
  })

/** One chat as a file: everything that a person can see of it, and the log that says how it came about. */
export const chatFile = named(
  'ChatFile',
  z.strictObject({
    format: z.literal(CHAT_FORMAT),
    version: z.literal(CHAT_FORMAT_VERSION),
    chat,
    contexts: z.array(context),
    branches: z.array(branch),
    checkpoints: z.array(checkpoint),
    messages: z.array(message).meta({ description: 'In the order in which they were written' }),
    summaries: z.array(summary),
    files: z.array(file),
    history: z
      .array(event)
      .meta({ description: 'The log, in order. `seq` counts its events; a reply takes two places' }),
  }),
)

export type ChatFile = z.infer<typeof chatFile>
export type ChatFileMessage = ChatFile['messages'][number]
export type ChatFileAttachment = ChatFile['files'][number]
export type ChatFileEvent = ChatFile['history'][number]

/** A chat without its messages, summaries and files: the parts that follow from its log. */
export type ChatFileRefs = Pick<ChatFile, 'chat' | 'branches' | 'checkpoints'>

/** Formats of a written chat; `json` holds all of it, the others are for reading and for training. */
export const exportFormats = [
  'json',
  'markdown',
  'markdown-zip',
  'docx',
  'html',
  'jsonl',
  'preferences',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Parts of a chat, besides its words, that an export may leave out. */
export const exportParts = ['thoughts', 'tools', 'context'] as const
export type ExportPart = (typeof exportParts)[number]
