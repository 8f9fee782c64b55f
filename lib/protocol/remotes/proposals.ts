import { z } from 'zod'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import { instant, isStorable, named } from '../fields'

const plain = 'A text without NUL'
const longWords = z.string().max(10_000).refine(isStorable, plain)

export const proposalTitle = z.string().trim().min(1).max(200).refine(isStorable, plain)
/** Words about a proposal; they may be empty. */
export const proposalWords = longWords

const comment = named(
  'ProposalComment',
  z.object({
    id: z.string(),
    by: z.enum(['owner', 'author']).meta({ description: 'The owner of the original, or the author' }),
    message_id: z
      .string()
      .nullable()
      .meta({ description: 'The message that it is about; null for the whole proposal' }),
    words: z.string(),
    created_at: instant,
  }),
)

/** A proposal, as the owner of the original or its author sees it. */
const proposal = named(
  'Proposal',
  z.object({
    id: z.string(),
    number: z.int().meta({ description: 'In the original, from 1' }),
    role: z.enum(['owner', 'author']).meta({
      description: '`owner`: it was made to this chat; `author`: it was made from this chat, by you',
    }),
    author: z.string().meta({ description: 'The name of the author' }),
    title: z.string(),
    words: z.string(),
    state: z.enum(['open', 'taken', 'declined']),
    taken_as: z
      .enum(['brief', 'turns', 'context', 'messages'])
      .nullable()
      .meta({ description: 'The mode of the merge, or `messages` for some of them' }),
    answer: z.string().nullable().meta({ description: 'The words with which it was declined' }),
    message_count: z.int(),
    thread_id: z.string().meta({ description: 'The branch of this chat that has its messages' }),
    head_message_id: z
      .string()
      .meta({ description: 'The last of its messages in this chat: it is pinned there' }),
    base_message_id: z
      .string()
      .nullable()
      .meta({ description: 'The message of this chat that it goes on below; null for its author' }),
    created_at: instant,
    updated_at: instant,
    comments: z.array(comment),
  }),
)

export type Proposal = z.infer<typeof proposal>

export const proposalList = named(
  'ProposalList',
  z.object({
    is_copy: z.boolean().meta({
      description: 'Whether the chat is a copy of a shared one, so that it can be proposed to its owner',
    }),
    proposals: z.array(proposal),
  }),
)
export type ProposalList = z.infer<typeof proposalList>

/** A proposal as it is stored. */
export interface StoredProposal {
  id: string
  /** the key of the chat that it is made to, and its owner */
  chatId: ChatId
  ownerId: UserId
  number: number
  authorId: UserId
  authorName: string
  /** the key of the chat that it was made from; null once that is deleted */
  sourceChatId: ChatId | null
  sourceBranchId: BranchId
  /** the message of the copy that it is pinned at */
  sourceHeadId: MessageId
  title: string
  words: string
  /** the archived branch that keeps its messages */
  branchId: BranchId
  baseMessageId: MessageId
  headMessageId: MessageId
  messages: number
  state: 'open' | 'taken' | 'declined'
  takenAs: 'brief' | 'turns' | 'context' | 'messages' | null
  answer: string | null
  createdAt: number
  updatedAt: number
}

export interface StoredComment {
  id: string
  proposalId: string
  saidBy: 'owner' | 'author'
  messageId: MessageId | null
  /** that message in the copy */
  sourceMessageId: MessageId | null
  words: string
  createdAt: number
}
