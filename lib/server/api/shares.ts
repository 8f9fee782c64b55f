import 'server-only'
import { z } from 'zod'
import {
  forkShare,
  listShares as listOf,
  makeShare,
  type Ports,
  type SharingPorts,
} from '@/lib/conversations'
import { newId } from '@/lib/events'
import type { ListedShare, ShareLink } from '@/lib/protocol'
import { named } from '@/lib/protocol/fields'
import { createdShare, createShareRequest, shareLink } from '@/lib/protocol/shares'
import { audit, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { heavily } from '../http/heavy-work'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const example: ShareLink = {
  id: '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d55',
  chat_id: '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c01',
  title: 'Three days in Lisbon',
  branch: 'main',
  branch_id: '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c02',
  message_id: '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c03',
  graph: false,
  follow: false,
  indexed: false,
  shared_by: null,
  created_at: '2026-03-14T09:26:53.589Z',
  expires_at: null,
  views: 12,
}
const token = '4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'

const refusals = { too_many_shares: 'There are too many links to this chat. Revoke one you do not need.' }

/** Ports of sharing from the services of a process. */
export const sharingPorts = ({ shares, files }: Services, ports: Ports): SharingPorts => ({
  ...ports,
  shares,
  stored: files,
})

export const toShareLink = (share: ListedShare): ShareLink => ({
  id: share.id,
  chat_id: share.calledChatId,
  title: share.title,
  branch: share.branch,
  branch_id: share.branchId,
  message_id: share.messageId,
  graph: share.withGraph,
  follow: share.follows,
  indexed: share.indexed,
  shared_by: share.sharedBy,
  created_at: new Date(share.createdAt).toISOString(),
  expires_at: share.expiresAt === null ? null : new Date(share.expiresAt).toISOString(),
  views: share.views,
})

export const createShare = defineOperation({
  id: 'createShare',
  method: 'post',
  path: '/api/shares',
  tag: 'Sharing',
  names: 'Chat',
  summary: 'Share a branch',
  description:
    'Makes a link to a branch at one message. Its readers need no account and get the messages up to there, as they are said and with their files; never what comes later, unless the link follows the branch. Contexts, memories, reasoning, and tools that read or change memories or other chats are never sent. A chat has 100 links in force at most. The server keeps only a hash of the token.',
  input: { body: createShareRequest },
  example: { chat_id: example.chat_id, branch: 'main', graph: false, follow: false },
  output: {
    status: 201,
    description: 'The link. Copy it now: it is not shown again.',
    schema: createdShare,
    example: { id: example.id, token, url: `https://ramify.example/s/${token}` },
  },
  refusals,
  async use({ request, viewer, ownerId, services, ports, body }) {
    const made = await makeShare(sharingPorts(services, ports), {
      ownerId,
      chatId: body.chat_id,
      branch: body.branch,
      messageId: body.message_id,
      withGraph: body.graph,
      follows: body.follow,
      indexed: body.indexed,
      sharedBy: body.shared_by,
      expiresAt: body.expires_at ? Date.parse(body.expires_at) : null,
    })
    if ('used' in made) {
      const { used } = made
      throw new RequestRefusedError(409, 'too_many_shares', refusals.too_many_shares, { used })
    }
    const address = clientAddress(request)
    audit('chat_shared', { person: viewer.id, credential: viewer.credential.kind, address, share: made.id })
    const origin = ownOrigin(request.headers, services.env.BETTER_AUTH_URL) ?? new URL(request.url).origin
    return { ...made, url: `${origin}/s/${made.token}` }
  },
})

export const listShares = defineOperation({
  id: 'listShares',
  method: 'get',
  path: '/api/shares',
  tag: 'Sharing',
  names: 'Chat',
  summary: 'List your links',
  input: {
    query: z.object({ chat_id: z.string().optional().meta({ description: 'Only links to this chat' }) }),
  },
  output: {
    description: 'The latest 500, newest first, expired ones included for 30 days.',
    schema: named('ShareList', z.object({ shares: z.array(shareLink) })),
    example: { shares: [example] },
  },
  async use({ ownerId, services, ports, query }) {
    const found = await listOf(sharingPorts(services, ports), { ownerId, chatId: query.chat_id })
    return { shares: found.map(toShareLink) }
  },
})

export const revokeShare = defineOperation({
  id: 'revokeShare',
  method: 'delete',
  path: '/api/shares/{id}',
  tag: 'Sharing',
  names: 'Share',
  summary: 'Revoke link',
  description: 'From then on the link opens nothing. Copies that readers have made of the chat are theirs.',
  input: { params: z.object({ id: z.string().meta({ description: 'The link' }) }) },
  output: { status: 204, description: 'The link is revoked.' },
  async use({ request, viewer, ownerId, services, params }) {
    await services.shares.revoke(ownerId, params.id)
    const address = clientAddress(request)
    audit('share_revoked', {
      person: viewer.id,
      credential: viewer.credential.kind,
      address,
      share: params.id,
    })
    return undefined
  },
})

export const copyShare = defineOperation({
  id: 'copyShare',
  method: 'post',
  path: '/api/shares/{id}/fork',
  tag: 'Sharing',
  names: 'Share',
  summary: 'Copy a shared chat',
  description:
    'Copies what a link opens into a new chat of yours: messages with their dates and files, and with the graph all its branches and checkpoints. Every message has the id of the one it is a copy of in `metadata.sharedFrom`.',
  input: {
    params: z.object({ id: z.string().meta({ description: 'The token: the secret part of the link' }) }),
  },
  output: {
    status: 201,
    description: 'Your new chat.',
    schema: named('CopiedShare', z.object({ chat_id: z.string() })),
    example: { chat_id: newId() },
  },
  async use({ request, viewer, ownerId, services, ports, params }) {
    const { signal } = request
    const copy = () => forkShare(sharingPorts(services, ports), { ownerId, token: params.id })
    const { chatId } = await heavily({ ports, ownerId, signal }, undefined, copy)
    const address = clientAddress(request)
    audit('share_copied', { person: viewer.id, credential: viewer.credential.kind, address, chat: chatId })
    return { chat_id: chatId }
  },
})
