import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import type { MemberRole } from '@/lib/events'
import { threadWindow } from '@/lib/protocol/chat-view'
import { MAX_INT, named, wholeNumber } from '@/lib/protocol/fields'
import { graphAnswer } from '@/lib/protocol/graph'
import { packedHistory } from '@/lib/protocol/movement'
import { movePage } from '@/lib/protocol/moves'
import { searchPage } from '@/lib/protocol/search'
import { compressedJson } from '../http/compressed-json'
import { heavily } from '../http/heavy-work'
import { eventStreamResponse, replyStreamResponse } from '../http/streams'
import { chatId, exampleMessage, position, replyStream } from './chat-fields'
import { defineOperation, type OperationCall } from './operation'

// Requests of the browser's chat, besides a turn.

const inChat = z.object({ id: z.string().meta({ description: 'The chat' }) })
const openBranch = { description: 'Name or id; the active branch unless given' }
const changedSince = position.optional().meta({ description: 'Only what changed after this event' })

type InChat = Pick<OperationCall, 'ports' | 'ownerId'> & { params: { id: string } }

/** Runs a use case on the chat that the address names. */
const withChat = <Result>(
  { ports, ownerId, params }: InChat,
  use: (chat: useCases.CalledChat) => Promise<Result>,
  needs?: MemberRole,
): Promise<Result> => useCases.inCalledChat(ports, { ownerId, chatId: params.id }, use, needs)

/** Has a use case read the chat that the address names, for its owner or a member. */
const readChat = <Result>(
  call: InChat,
  use: (chat: useCases.CalledChat) => Promise<Result>,
): Promise<Result> => withChat(call, use, 'reads')

/** Has work that grows with the chat wait in line where the chat is long. */
const inLine = <Result>(
  { request: { signal }, ports, ownerId, params }: OperationCall & { params: { id: string } },
  work: () => Promise<Result>,
): Promise<Result> => heavily({ ports, ownerId, signal }, params.id, work)

export const followReply = defineOperation({
  id: 'followReply',
  method: 'get',
  path: '/api/chat/{id}/stream',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Follow reply',
  description: 'The reply from its first part on, whichever process writes it.',
  input: {
    params: inChat,
    query: z.object({
      branch: z.string().optional().meta(openBranch),
      since: position
        .optional()
        .meta({ description: 'The log position you know: what happened since comes along' }),
    }),
  },
  streams: 'always',
  output: replyStream,
  others: [{ status: 204, description: 'No reply is being written there.' }],
  async use(call) {
    const { since, branch } = call.query
    return readChat(call, async ({ membership, ...chat }) => {
      const called = membership?.id ?? call.params.id
      const asked = { ...chat, called, since, branch: branch || undefined }
      const reply = await useCases.followReply(call.ports, asked)
      return reply && replyStreamResponse({ ...call, membership }, reply)
    })
  },
})

export const followReplies = defineOperation({
  id: 'followReplies',
  method: 'get',
  path: '/api/chats/{id}/replies',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Follow replies to a message',
  description:
    'All replies to a message that are being written, in one stream: `part` with a part of the AI SDK’s UI message stream and the run it belongs to, from each reply’s first part on, and `over` when a reply is stored. The stream ends with the last of them.',
  input: {
    params: inChat,
    query: z.object({
      message: chatId.meta({ description: 'The message that is answered' }),
      since: position
        .optional()
        .meta({ description: 'The log position you know: what happened since comes along' }),
    }),
  },
  streams: 'always',
  output: {
    description: 'The replies, as `text/event-stream`.',
    type: 'text/event-stream',
    example:
      'event: part\ndata: {"runId":"019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10","part":{"type":"text-delta","id":"0","delta":"Hello"}}\n\nevent: over\ndata: {"runId":"019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10"}\n\n',
  },
  async use(call) {
    const { message: messageId, since } = call.query
    return readChat(call, async ({ membership, ...chat }) => {
      const called = membership?.id ?? call.params.id
      const news = await useCases.followReplies(call.ports, { ...chat, called, messageId, since })
      return eventStreamResponse({ ...call, membership }, news, ({ kind, ...data }) => ({
        event: kind,
        data,
      }))
    })
  },
})

export const stopReply = defineOperation({
  id: 'stopReply',
  method: 'post',
  path: '/api/chat/{id}/stop',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Stop reply',
  description: 'Ends the reply and keeps what is written of it. A second request gets the same answer.',
  input: { params: inChat, body: named('StopRequest', z.object({ runId: chatId })) },
  example: { runId: '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10' },
  output: {
    description: 'How the reply ended.',
    schema: named(
      'StoppedReply',
      z.object({
        status: z.enum(['queued', 'running', 'completed', 'stopped', 'failed']),
        messageId: z.string().nullable().meta({ description: 'The reply, if a word of it was kept' }),
      }),
    ),
    example: { status: 'stopped', messageId: exampleMessage.id },
  },
  use: (call) => withChat(call, (chat) => useCases.stopReply(call.ports, { ...chat, ...call.body })),
})

export const readGraph = defineOperation({
  id: 'readGraph',
  method: 'get',
  path: '/api/chats/{id}/graph',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read graph',
  description: 'The messages, branches and checkpoints of a chat, without the bodies of the messages.',
  input: {
    params: inChat,
    query: z.object({
      since: changedSince,
      columns: z
        .literal('nodes')
        .optional()
        .meta({ description: 'Without `since`: the messages in columns, which is shorter' }),
    }),
  },
  output: {
    description: 'The graph; with `since`, what changed after that event.',
    schema: graphAnswer,
    example: {
      chatId: 'trip',
      seq: 1,
      title: null,
      activeBranchId: 'b1',
      nodes: [],
      lanes: [],
      checkpoints: [],
      runs: [],
      branches: [
        {
          id: 'b1',
          name: 'main',
          headId: null,
          parentBranchId: null,
          createdAt: 1773480413589,
          archivedAt: null,
        },
      ],
    },
  },
  async use(call) {
    const { since, columns } = call.query
    const read = columns && since === undefined ? useCases.readPackedGraph : useCases.readGraph
    const answer = async () => {
      const graph = await readChat<object>(call, (chat) => read(call.ports, { ...chat, since }))
      return compressedJson(call.request, graph)
    }
    return since === undefined ? inLine(call, answer) : answer()
  },
})

const foundOn = { id: 'b1', name: 'main-v2', title: 'One of us is vegetarian', lane: 1, count: 8 }

export const readHistory = defineOperation({
  id: 'readHistory',
  method: 'get',
  path: '/api/chats/{id}/history',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read history',
  description:
    'Every movement of the branches and checkpoints of a chat, oldest first. With the graph, it gives the graph at any earlier time.',
  input: { params: inChat, query: z.object({ since: changedSince }) },
  output: {
    description: 'The movements; with `since`, those after that event.',
    schema: packedHistory,
    example: {
      chatId: 'trip',
      seq: 2,
      kinds: 'em',
      seqs: [1, 1],
      times: [1773480413589, 7615],
      places: [0, 0],
      refs: [0, -1, 0],
      ids: ['b1'],
      names: ['main'],
    },
  },
  async use(call) {
    const { since } = call.query
    const answer = async () => {
      const history = await readChat(call, (chat) => useCases.readHistory(call.ports, { ...chat, since }))
      return compressedJson(call.request, history)
    }
    return since === undefined ? inLine(call, answer) : answer()
  },
})

export const listMoves = defineOperation({
  id: 'listMoves',
  method: 'get',
  path: '/api/chats/{id}/moves',
  tag: 'Chats',
  names: 'Chat',
  summary: 'List moves',
  description:
    'What was done in a chat, the latest first: every move of a branch or a checkpoint, what Undo and Redo did, and the turns in between, folded. `undo` goes back to any of these lines.',
  input: {
    params: inChat,
    query: z.object({
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER)
        .optional()
        .meta({ description: 'Only what was logged before this position; `next` of the page before' }),
      limit: wholeNumber(1, 2000).optional().meta({
        description: 'How many positions of the log the page covers, or a few more; 400 unless given',
      }),
    }),
  },
  output: {
    description: 'The lines.',
    schema: movePage,
    example: {
      seq: 9,
      next: null,
      moves: [
        {
          seq: 9,
          at: 1773480441204,
          kind: 'move',
          move: 'branch',
          moveSeq: 9,
          branchId: 'b2',
          name: 'main-v2',
          messageId: exampleMessage.id,
        },
        { seq: 5, at: 1773480421204, kind: 'turns', branchId: 'b1', questions: 1, replies: 1 },
        { seq: 1, at: 1773480413589, kind: 'move', move: 'branch', branchId: 'b1', name: 'main' },
      ],
    },
  },
  use: (call) => readChat(call, (chat) => useCases.listMoves(call.ports, { ...chat, ...call.query })),
})

export const listChatMessages = defineOperation({
  id: 'listChatMessages',
  method: 'get',
  path: '/api/chats/{id}/messages',
  tag: 'Chats',
  names: 'Chat',
  summary: 'List messages of a branch',
  description: 'The last messages of a branch, or those above a depth.',
  input: {
    params: inChat,
    query: z.object({
      branch: z.string().min(1).optional().meta(openBranch),
      before: wholeNumber(0, MAX_INT).optional().meta({ description: 'Only above this depth' }),
      limit: wholeNumber(1, 200).optional().meta({ description: 'How many at most; 50 unless given' }),
    }),
  },
  output: {
    description: 'A part of the branch’s chain, root first.',
    schema: threadWindow,
    example: { messages: [{ ...exampleMessage, metadata: { createdAt: 1773480421204 } }], start: 0 },
  },
  use: (call) => readChat(call, (chat) => useCases.readWindow(call.ports, { ...chat, ...call.query })),
})

export const watchChat = defineOperation({
  id: 'watchChat',
  method: 'get',
  path: '/api/live',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Watch chat',
  description:
    'Every change of a chat, as it happens: `delta` with a GraphDelta, whose id is the position of the log then, and `gone` when the chat is deleted.',
  input: {
    query: z.object({
      chat: z.string().min(1),
      since: position.default(0).meta({ description: 'The log position you know' }),
    }),
    headers: z.object({
      'Last-Event-ID': z.preprocess(
        (sent) => sent || undefined,
        position.optional().meta({ description: 'Resumes after this event; counts before `since`' }),
      ),
    }),
  },
  streams: 'always',
  output: {
    description: 'The changes.',
    type: 'text/event-stream',
    example: 'event: delta\nid: 4\ndata: {"chatId":"trip","seq":4}\n\n',
  },
  async use({ ports, ownerId, query, headers, ...call }) {
    const since = headers['Last-Event-ID'] ?? query.since
    return readChat({ ports, ownerId, params: { id: query.chat } }, async ({ membership, ...chat }) => {
      const news = await useCases.watchChat(ports, { ...chat, since })
      return eventStreamResponse({ ...call, membership }, news, (told) => {
        if (told.kind === 'gone') return { event: 'gone' }
        if (told.kind !== 'delta') return {}
        const delta = membership ? { ...told.delta, chatId: membership.id } : told.delta
        return { event: 'delta', id: delta.seq, data: delta }
      })
    })
  },
})

export const search = defineOperation({
  id: 'search',
  method: 'get',
  path: '/api/search',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Search messages',
  description: 'Searches all your chats, on every branch, best match first. New messages are found at once.',
  input: {
    query: z.object({
      q: z
        .string()
        .max(500)
        .refine((text) => !text.includes('\0'), 'must not contain the NUL character')
        .meta({
          description:
            'Words that a message must all contain, each as a word or the beginning of one, or of a part of a name, a path or a sentence without spaces. Case, marks on letters and their widths do not count. The first twelve words count.',
        }),
      chat: z.string().min(1).max(128).optional().meta({ description: 'Only this chat' }),
      role: z
        .enum(['user', 'assistant'])
        .optional()
        .meta({ description: 'Only your messages, or only replies' }),
      limit: wholeNumber(1, 100).optional().meta({ description: 'How many at most; 30 unless given' }),
      offset: wholeNumber(0, 10_000).optional().meta({ description: 'How many to skip at the beginning' }),
    }),
  },
  output: {
    description: 'The messages found. Without a word in `q`, none.',
    schema: searchPage,
    example: {
      hits: [
        {
          chatId: 'trip',
          chatTitle: 'Three days in Lisbon',
          chatArchived: false,
          messageId: exampleMessage.id,
          role: 'assistant',
          createdAt: 1773480421204,
          branch: foundOn,
          rank: 0.0607927106320858,
          snippet: 'one is a *tasca* with grilled <mark>sardines</mark>, loud and good',
        },
      ],
      more: false,
      partial: false,
    },
  },
  use({ ports, ownerId, query: { q, chat, role, limit, offset } }) {
    const roles = role && [role]
    const find = (within: { chatId?: string }) =>
      useCases.searchChats(ports, { ...within, ownerId, query: q, roles, limit, offset })
    return chat === undefined ? find({}) : useCases.inCalledChat(ports, { ownerId, chatId: chat }, find)
  },
})
