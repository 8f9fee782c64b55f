import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { SharedChat, SharedChatEntry, StoredMember } from '@/lib/protocol'
import { named } from '@/lib/protocol/fields'
import {
  inviteRequest,
  type Member,
  madeInvitation,
  memberList,
  memberRole,
  type OpenInvitation,
  seenInvitation,
  sharedChatList,
} from '@/lib/protocol/remotes/members'
import { type AuditEvent, audit, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { heavily } from '../../http/heavy-work'
import { RequestRefusedError } from '../../http/problem'
import { chatId } from '../chat-fields'
import { defineOperation, type OperationCall } from '../operation'
import { sharingPorts } from '../shares'

// Who is in a chat besides its owner.

const exampleId = '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d58'
const token = '4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'
const example: Member = {
  id: exampleId,
  name: 'Ben',
  role: 'proposes',
  is_you: false,
  joined_at: '2026-03-14T09:26:53.589Z',
}

const refusals = {
  too_many_members:
    'There are 50 members and invitations, which is the most. Remove one that you do not need. Nothing was changed.',
}

const inChat = z.object({ id: chatId.meta({ description: 'The chat' }) })
const ofMember = inChat.extend({
  member_id: z.string().min(1).max(128).meta({ description: 'The member or the invitation' }),
})
const byToken = z.object({
  id: z.string().max(200).meta({ description: 'The token: the secret part of the link' }),
})

/** Services of a process that members need. */
const membersPorts = (services: Services, ports: useCases.Ports): useCases.JoiningPorts => ({
  ...sharingPorts(services, ports),
  members: services.members,
})

function audited({ request, viewer }: OperationCall, event: AuditEvent, chat: string, member: string): void {
  const { id: person, credential } = viewer
  audit(event, { person, credential: credential.kind, address: clientAddress(request), chat, member })
}

export const listMembers = defineOperation({
  id: 'listMembers',
  method: 'get',
  path: '/api/chats/{id}/members',
  tag: 'People',
  names: 'Chat',
  summary: 'List people of a chat',
  description: 'Who is in the chat. The owner sees the invitations, too.',
  input: { params: inChat },
  output: {
    description: 'Its people.',
    schema: memberList,
    example: { owner: { name: 'Ada', is_you: true }, members: [example], invitations: [] },
  },
  async use({ ownerId: personId, services, ports, params }) {
    const found = await useCases.listMembers(membersPorts(services, ports), {
      ownerId: personId,
      chatId: params.id,
    })
    return {
      owner: { name: found.ownerName, is_you: found.ownerId === personId },
      members: found.members.flatMap((one) => toMember(one, personId) ?? []),
      invitations: found.members.flatMap((one) => toInvitation(one) ?? []),
    }
  },
})

function toMember(one: StoredMember, personId: string): Member | undefined {
  if (one.personId === null) return undefined
  const { id, name, role, joinedAt } = one
  return { id, name, role, is_you: one.personId === personId, joined_at: new Date(joinedAt).toISOString() }
}

function toInvitation(one: StoredMember): OpenInvitation | undefined {
  if (one.personId !== null) return undefined
  const { id, role, email, createdAt, expiresAt } = one
  return {
    id,
    role,
    email,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  }
}

export const inviteMember = defineOperation({
  id: 'inviteMember',
  method: 'post',
  path: '/api/chats/{id}/members',
  tag: 'People',
  names: 'Chat',
  summary: 'Invite person',
  description:
    'Makes a link to a chat of yours that one person may take, once. A chat has 50 members and invitations at most. The server keeps only a hash of the token.',
  input: { params: inChat, body: inviteRequest },
  example: { role: 'proposes' },
  output: {
    status: 201,
    description: 'The link. Send it to the person: it is not shown again.',
    schema: madeInvitation,
    example: { id: exampleId, token, url: `https://ramify.example/join/${token}` },
  },
  refusals,
  async use(call) {
    const { request, ownerId, services, ports, params, body } = call
    const made = await useCases.inviteMember(membersPorts(services, ports), {
      ownerId,
      chatId: params.id,
      role: body.role,
      email: body.email,
      expiresAt: body.expires_at === undefined ? undefined : Date.parse(body.expires_at),
    })
    if ('isFull' in made) throw new RequestRefusedError(409, 'too_many_members', refusals.too_many_members)
    audited(call, 'member_invited', params.id, made.id)
    const origin = ownOrigin(request.headers, services.env.BETTER_AUTH_URL) ?? new URL(request.url).origin
    return { ...made, url: `${origin}/join/${made.token}` }
  },
})

export const changeMemberRole = defineOperation({
  id: 'changeMemberRole',
  method: 'patch',
  path: '/api/chats/{id}/members/{member_id}',
  tag: 'People',
  names: 'Member',
  summary: 'Change role',
  description: 'Gives a member of a chat of yours another role, or the person who will take an invitation.',
  input: {
    params: ofMember,
    body: named('ChangeRoleRequest', z.strictObject({ role: memberRole })),
  },
  example: { role: 'reads' },
  output: { status: 204, description: 'The role holds from now on.' },
  async use(call) {
    const { ownerId, services, ports, params, body } = call
    await useCases.changeRole(membersPorts(services, ports), {
      ownerId,
      chatId: params.id,
      memberId: params.member_id,
      role: body.role,
    })
    audited(call, 'member_changed', params.id, params.member_id)
    return undefined
  },
})

export const removeMember = defineOperation({
  id: 'removeMember',
  method: 'delete',
  path: '/api/chats/{id}/members/{member_id}',
  tag: 'People',
  names: 'Member',
  summary: 'Remove person',
  description:
    'Removes a member of a chat of yours, or takes an invitation back. A member may leave: remove yourself. What the person reads live ends within a second; copies of the chat stay.',
  input: { params: ofMember },
  output: { status: 204, description: 'To that person the chat does not exist any more.' },
  async use(call) {
    const { ownerId, services, ports, params } = call
    await useCases.removeMember(membersPorts(services, ports), {
      ownerId,
      chatId: params.id,
      memberId: params.member_id,
    })
    await services.streams.endRevoked()
    audited(call, 'member_removed', params.id, params.member_id)
    return undefined
  },
})

export const readInvitation = defineOperation({
  id: 'readInvitation',
  method: 'get',
  path: '/api/invitations/{id}',
  tag: 'People',
  names: 'Invitation',
  summary: 'Read invitation',
  description: 'Tells what an invitation lets you into, and uses nothing up.',
  input: { params: byToken },
  output: {
    description: 'The invitation.',
    schema: seenInvitation,
    example: { title: 'Three days in Lisbon', role: 'proposes', owner: 'Ada', chat_id: null },
  },
  async use({ ownerId: personId, services, ports, params }) {
    const seen = await useCases.lookAtInvitation(membersPorts(services, ports), {
      personId,
      token: params.id,
    })
    return { title: seen.title, role: seen.role, owner: seen.ownerName, chat_id: seen.calledBefore }
  },
})

const toChat = named('JoinedChat', z.object({ chat_id: z.string() }))

export const takeInvitation = defineOperation({
  id: 'takeInvitation',
  method: 'post',
  path: '/api/invitations/{id}/take',
  tag: 'People',
  names: 'Invitation',
  summary: 'Take invitation',
  description:
    'Lets you into the chat. The invitation is used up, unless you are in the chat already. `chat_id` names the chat to you.',
  input: { params: byToken },
  output: { description: 'You are in.', schema: toChat, example: { chat_id: exampleId } },
  async use(call) {
    const { viewer, services, ports, params } = call
    const person = { id: viewer.id, name: nameOf(viewer) }
    const joined = await useCases.takeInvitation(membersPorts(services, ports), { person, token: params.id })
    audited(call, 'invitation_taken', joined.chatId, joined.chatId)
    return { chat_id: joined.chatId }
  },
})

/** The name that other people read. */
export const nameOf = ({ name, guest }: { name: string; guest: boolean }): string =>
  guest ? 'A guest' : [...name].slice(0, 100).join('') || 'Someone'

export const toSharedChat = ({ id, title, role, ownerName, updatedAt }: SharedChat): SharedChatEntry => ({
  id,
  title,
  role,
  owner: ownerName,
  updated_at: new Date(updatedAt).toISOString(),
})

export const listSharedChats = defineOperation({
  id: 'listSharedChats',
  method: 'get',
  path: '/api/shared-chats',
  tag: 'People',
  summary: 'List chats shared with you',
  output: {
    description: 'The latest 500, the last changed first.',
    schema: sharedChatList,
    example: {
      chats: [
        {
          id: exampleId,
          title: 'Three days in Lisbon',
          role: 'proposes',
          owner: 'Ada',
          updated_at: '2026-03-14T09:26:53.589Z',
        },
      ],
    },
  },
  async use({ ownerId: personId, services, ports }) {
    const chats = await useCases.listSharedChats(membersPorts(services, ports), { personId })
    return { chats: chats.map(toSharedChat) }
  },
})

export const copyChat = defineOperation({
  id: 'copyChat',
  method: 'post',
  path: '/api/chats/{id}/copy',
  tag: 'People',
  names: 'Chat',
  summary: 'Copy a chat of someone else',
  description:
    'Copies a chat that you are a member of into a new chat of yours, as a link to its graph would: without archived branches, instructions, and what the model thought.',
  input: { params: inChat },
  output: {
    status: 201,
    description: 'Your new chat.',
    schema: named('CopiedChat', z.object({ chat_id: z.string() })),
    example: { chat_id: newId() },
  },
  async use({ request: { signal }, ownerId: personId, services, ports, params }) {
    const asked = { personId, chatId: params.id }
    const copy = () => useCases.copyAsMember(membersPorts(services, ports), asked)
    const { chatId } = await heavily({ ports, ownerId: personId, signal }, undefined, copy)
    return { chat_id: chatId }
  },
})
