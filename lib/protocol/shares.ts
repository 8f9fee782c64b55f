import { z } from 'zod'
import type { BranchId, ChatId, MessageId, ShareId } from '@/lib/events'
import type { ChatMessage } from './chat-view'
import { instant, named, shortName } from './fields'
import type { GraphLane } from './graph'

const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d55'

/** A link as its owner sees it in a list; its token is in no list. */
export const shareLink = named(
  'ShareLink',
  z.object({
    id: z.string().meta({ examples: [exampleId] }),
    chat_id: z.string(),
    title: z.string().nullable().meta({ description: 'The title of the chat' }),
    branch: z.string().meta({ description: 'The name of the branch' }),
    branch_id: z.string(),
    message_id: z.string().meta({
      description:
        'The last message that is read. A link that follows reads on: then it was the last one when the link was made',
    }),
    graph: z.boolean(),
    follow: z.boolean(),
    indexed: z.boolean(),
    shared_by: z.string().nullable(),
    created_at: instant,
    expires_at: instant.nullable(),
    views: z.int().meta({ description: 'About how often it was opened' }),
  }),
)

export type ShareLink = z.infer<typeof shareLink>

export const createShareRequest = named(
  'CreateShareRequest',
  z.strictObject({
    chat_id: z.string().meta({ description: 'The chat' }),
    branch: z.string().meta({ description: 'The branch, by id or name' }),
    message_id: z.string().optional().meta({
      description: 'The last message that is read; unless given, the last of the branch as it is now',
    }),
    graph: z.boolean().meta({
      description:
        'Whether the other branches can be read, as they are now. Without, nothing of them is sent, not even that they exist',
    }),
    follow: z
      .boolean()
      .meta({ description: 'Whether what comes later can be read too. Such a link takes no `message_id`' }),
    expires_at: instant
      .nullable()
      .optional()
      .meta({ description: 'When the link ends; unless given, it is valid until you revoke it' }),
    indexed: z
      .boolean()
      .optional()
      .meta({ description: 'Whether search engines may list it; no unless given' }),
    shared_by: shortName.optional().meta({ description: 'A name that readers see; none unless given' }),
  }),
)

export type CreateShare = z.infer<typeof createShareRequest>

export const createdShare = named(
  'CreatedShare',
  z.object({
    id: z.string().meta({ examples: [exampleId] }),
    token: z
      .string()
      .meta({ description: 'The secret part of the link, shown only here', examples: ['4fZ8q…'] }),
    url: z.string().meta({ examples: ['https://ramify.example/s/4fZ8q…'] }),
  }),
)

export type CreatedShare = z.infer<typeof createdShare>

/** A link and its scope. Times are milliseconds. */
export interface StoredShare {
  id: ShareId
  /** the key of the chat */
  chatId: ChatId
  branchId: BranchId
  messageId: MessageId
  /** the position of the chat's log when the link was made */
  seq: number
  withGraph: boolean
  follows: boolean
  indexed: boolean
  sharedBy: string | null
  expiresAt: number | null
  createdAt: number
}

/** A link that is in force, with its chat as it is now. */
export interface OpenedShare extends StoredShare {
  ownerId: string
  title: string | null
  /** made with the chat and kept by its copies */
  origin: string
  /** the position of the chat's log */
  lastSeq: number
  /** the end of the reading: its message, or the head of the branch it follows */
  end: { lane: number; depth: number }
}

/** A link in its owner's list. */
export interface ListedShare extends StoredShare {
  /** the owner's title of the chat */
  calledChatId: ChatId
  title: string | null
  branch: string
  views: number
}

/** A message as the readers of a link get it: its words, without the context behind them. */
export interface SharedMessage extends Pick<ChatMessage, 'id' | 'role' | 'parts' | 'metadata'> {
  /** its colour; 0 without the graph */
  lane: number
  /** its kind where no person wrote it: a note of a merge, or a summary */
  note?: 'merge' | 'summary'
}

/** A branch that a link with the graph opens. */
interface SharedBranch {
  id: BranchId
  title: string
  /** it is read now */
  isHere: boolean
  lane: number
  /** its messages, from the first of the chat on */
  length: number
}

/** The data of the page of a link. */
export interface SharedView {
  /** the link's id; its token opens it, not this */
  id: ShareId
  title: string | null
  sharedBy: string | null
  createdAt: number
  expiresAt: number | null
  follows: boolean
  indexed: boolean
  messages: SharedMessage[]
  /** the messages of the parts before and after it that are nearest: a call and its answer may be divided */
  beside: { above: SharedMessage[]; below: SharedMessage[] }
  /** the number of this part of the messages, from 1, and the number of parts */
  part: number
  parts: number
  /** number of messages in all parts */
  total: number
  /** the messages before this part */
  start: number
  /** the branch that is read, all of them, and their lanes; null without the graph */
  graph: {
    branchId: BranchId
    branches: SharedBranch[]
    lanes: GraphLane[]
    atId: MessageId | null
  } | null
}

/** A message that holds words which were looked for. */
export interface SharedHit {
  id: MessageId
  /** the part that holds it, from 1 */
  part: number
  /** the branch to read it on; null without the graph */
  branchId: BranchId | null
}

/**
 * Places of words in the messages that a link opens: on the branch that is read, from its first message on, then on
 * the others.
 */
export interface SharedFinds {
  hits: SharedHit[]
  /** there are more */
  more: boolean
}
