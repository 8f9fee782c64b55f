import { z } from 'zod'
import { type ChatId, type MemberRole, memberRoles, type UserId } from '@/lib/events'
import { instant, named } from '../fields'

export const memberRole = z.enum(memberRoles).meta({
  description:
    '`reads`: reads every branch, live, and may continue in a copy; `proposes`: may propose branches of the copy, too',
})

export const inviteRequest = named(
  'InviteRequest',
  z.strictObject({
    role: memberRole,
    email: z
      .email()
      .max(320)
      .optional()
      .meta({ description: 'Only the account with this address may take it' }),
    expires_at: instant.optional().meta({ description: 'In 7 days unless given' }),
  }),
)

export const madeInvitation = named(
  'MadeInvitation',
  z.object({
    id: z.string(),
    token: z.string().meta({ description: 'The secret part of the link' }),
    url: z.string(),
  }),
)

const member = named(
  'Member',
  z.object({
    id: z.string(),
    name: z.string(),
    role: memberRole,
    is_you: z.boolean(),
    joined_at: instant,
  }),
)
export type Member = z.infer<typeof member>

const openInvitation = named(
  'OpenInvitation',
  z.object({
    id: z.string(),
    role: memberRole,
    email: z.string().nullable().meta({ description: 'The only account that may take it; null for any' }),
    created_at: instant,
    expires_at: instant,
  }),
)
export type OpenInvitation = z.infer<typeof openInvitation>

export const memberList = named(
  'MemberList',
  z.object({
    owner: z.object({ name: z.string(), is_you: z.boolean() }),
    members: z.array(member),
    invitations: z.array(openInvitation).meta({ description: 'For the owner; a member sees none' }),
  }),
)
export type MemberList = z.infer<typeof memberList>

const sharedChat = named(
  'SharedChat',
  z.object({
    id: z.string().meta({ description: 'Names the chat to you: its owner calls it otherwise' }),
    title: z.string().nullable(),
    role: memberRole,
    owner: z.string().meta({ description: 'The name of its owner' }),
    updated_at: instant,
  }),
)
export const sharedChatList = named('SharedChatList', z.object({ chats: z.array(sharedChat) }))
export type SharedChatEntry = z.infer<typeof sharedChat>

export const seenInvitation = named(
  'Invitation',
  z.object({
    title: z.string().nullable().meta({ description: 'The title of the chat' }),
    role: memberRole,
    owner: z.string().meta({ description: 'The name of who invites' }),
    chat_id: z.string().nullable().meta({ description: 'The chat, where you are in it already' }),
  }),
)
export type SeenInvitation = z.infer<typeof seenInvitation>

/** A person's membership in a chat of someone else. */
export interface Membership {
  id: string
  role: MemberRole
  /** the key of the chat, and its owner */
  chatId: ChatId
  ownerId: UserId
  ownerName: string
}

/** A member, or an invitation that no person has taken yet. Times are milliseconds. */
export type StoredMember = { id: string; role: MemberRole; createdAt: number } & (
  | { personId: UserId; name: string; joinedAt: number }
  | { personId: null; email: string | null; expiresAt: number }
)

export interface NewInvitation {
  id: string
  /** the key of the chat */
  chatId: ChatId
  role: MemberRole
  email: string | null
  expiresAt: number
}

export interface Invitation {
  id: string
  chatId: ChatId
  role: MemberRole
  title: string | null
  ownerId: UserId
  ownerName: string
  /** the person's id for the chat; null for a person who is not in it */
  calledBefore: string | null
}

/** A chat of someone else, as its member lists it. */
export interface SharedChat {
  /** the member's id for it */
  id: string
  title: string | null
  role: MemberRole
  ownerName: string
  updatedAt: number
}
