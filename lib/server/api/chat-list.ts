import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import {
  changedChats,
  chatChange,
  chatFilter,
  chatPage,
  chatSorts,
  chatSummary,
  chatTags,
  manyChange,
  pickedChats,
} from '@/lib/protocol/chat-list'
import { named, wholeNumber } from '@/lib/protocol/fields'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import { defineOperation } from './operation'

const inChat = z.object({ id: z.string().meta({ description: 'The chat' }) })

const example = {
  id: 'trip',
  title: 'Three days in Lisbon',
  tags: ['travel'],
  createdAt: 1773480413589,
  updatedAt: 1773480421204,
  pinnedAt: 1773480441204,
  archivedAt: null,
  messageCount: 8,
  branchCount: 2,
  waits: false,
  agent: null,
  origin: null,
  costUsd: 0.0125,
  replying: false,
}

/** Ten thousand ids and a little. */
const limits = { values: 11_000, bytes: 1_600_000 }

const { archived, tag, q, agents } = chatFilter.shape

export const listChats = defineOperation({
  id: 'listChats',
  method: 'get',
  path: '/api/chats',
  tag: 'Chats',
  summary: 'List chats',
  description:
    'Your chats, pinned ones first. Pages do not overlap, and a chat that stays as it is is on one of them; a chat that changes while you page may move to the top.',
  input: {
    query: z.object({
      archived: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .meta(archived.meta() ?? {}),
      tag: tag.meta(tag.meta() ?? {}),
      agents: z
        .enum(['true', 'false'])
        .transform((value) => value === 'true')
        .optional()
        .meta(agents.meta() ?? {}),
      q: q.meta(q.meta() ?? {}),
      sort: z.enum(chatSorts).optional().meta({
        description:
          'By the last change or by when they were begun, the latest first, or by title; `updated` unless given',
      }),
      cursor: z.string().max(4000).optional().meta({ description: '`next` of the page before' }),
      limit: wholeNumber(1, 200).optional().meta({ description: 'How many at most; 50 unless given' }),
    }),
  },
  output: {
    description: 'A page of the list.',
    schema: chatPage,
    example: { chats: [example], next: null, total: 1 },
  },
  use: ({ ports, ownerId, query }) => useCases.listChats(ports, { ...query, ownerId, counted: true }),
})

export const readChat = defineOperation({
  id: 'readChat',
  method: 'get',
  path: '/api/chats/{id}',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read chat',
  description: 'A chat as the list shows it, archived or not.',
  input: { params: inChat },
  output: { description: 'The chat.', schema: chatSummary, example },
  use: ({ ports, ownerId, params }) => useCases.readChatSummary(ports, { ownerId, chatId: params.id }),
})

export const changeChat = defineOperation({
  id: 'changeChat',
  method: 'patch',
  path: '/api/chats/{id}',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Change chat',
  description:
    'Renames, pins, archives or tags a chat. A part that is left out stays as it is. An archived chat is not listed among the others; its address and the search find it as before.',
  input: { params: inChat, body: named('ChangeChatRequest', chatChange) },
  example: { pinned: true, tags: ['travel'] },
  output: { description: 'The chat from now on.', schema: chatSummary, example },
  use: ({ ports, ownerId, params, body }) =>
    useCases.changeChat(ports, { ...body, ownerId, chatId: params.id }),
})

export const changeChats = defineOperation({
  id: 'changeChats',
  method: 'patch',
  path: '/api/chats',
  tag: 'Chats',
  summary: 'Change many chats',
  description:
    'Pins, archives or tags chats, by their ids or all that a filter finds, in one transaction. Ids that are not of your chats are passed over.',
  input: { body: named('ChangeChatsRequest', manyChange) },
  example: { ids: ['trip'], archived: true, tags: { add: ['travel'] } },
  limits,
  output: { description: 'What has changed.', schema: changedChats, example: { changed: 1, ids: ['trip'] } },
  use: ({ ports, ownerId, body: { pinned, archived, tags, ...picked } }) =>
    useCases.changeChats(ports, { ownerId, picked, change: { pinned, archived, tags } }),
})

export const deleteChats = defineOperation({
  id: 'deleteChats',
  method: 'delete',
  path: '/api/chats',
  tag: 'Chats',
  summary: 'Delete many chats',
  description:
    'Deletes chats with everything in them, by their ids or all that a filter finds, in one transaction. This cannot be undone. Ids that are not of your chats are passed over.',
  input: { body: named('DeleteChatsRequest', pickedChats) },
  example: { ids: ['trip'] },
  limits,
  output: {
    description: 'They are deleted.',
    schema: named('DeletedChats', z.object({ deleted: z.int() })),
    example: { deleted: 1 },
  },
  async use({ ports, ownerId, viewer, request, body }) {
    const ids = await useCases.deleteChats(ports, { ownerId, picked: body })
    const by = { person: ownerId, credential: viewer.credential.kind, address: clientAddress(request) }
    for (const chat of ids) audit('chat_deleted', { ...by, chat })
    return { deleted: ids.length }
  },
})

export const listTags = defineOperation({
  id: 'listTags',
  method: 'get',
  path: '/api/chat-tags',
  tag: 'Chats',
  summary: 'List tags',
  output: {
    description: 'The tags of your chats, by the alphabet.',
    schema: chatTags,
    example: { tags: [{ tag: 'travel', chats: 3 }] },
  },
  use: async ({ ports, ownerId }) => ({ tags: await useCases.listTags(ports, ownerId) }),
})
