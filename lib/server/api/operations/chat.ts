import 'server-only'
import { z } from 'zod'
import type { Operation } from '../operation'
import {
  chatWindow,
  columnsQuery,
  followQuery,
  graphAnswer,
  graphQuery,
  health,
  historyAnswer,
  liveQuery,
  stopped,
  stopRequest,
  turnRequest,
  windowQuery,
} from '../schemas/chat-schemas'

const message = {
  id: '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61',
  role: 'user' as const,
  parts: [{ type: 'text', text: 'Hello' }],
}
const run = '019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10'

const stream = {
  status: 200,
  description: 'The reply as the AI SDK’s UI message stream.',
  type: 'text/event-stream' as const,
  example:
    'data: {"type":"text-delta","id":"0","delta":"Hello"}\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n',
}

const emptyGraph = {
  ...{
    chatId: 'trip',
    seq: 1,
    title: null,
    activeBranchId: 'b1',
    nodes: [],
    lanes: [],
    checkpoints: [],
    runs: [],
  },
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
}

export const chatOperations: Operation[] = [
  {
    id: 'takeTurn',
    method: 'post',
    path: '/api/chat',
    tag: 'Chat',
    summary: 'Ask, and read the reply as it is written',
    description:
      'Works with a stock `useChat`. Your message is stored before the model is called, and the reply is stored whether or not you read it to the end. Only so many of your replies are written at the same time. A further one waits: its `data-run` part has the status `queued` and says why, and a second one has `running` when it begins.',
    body: { schema: turnRequest, example: { id: 'trip', message } },
    answers: [stream],
    conflicts: {
      head_moved:
        'This branch has moved on since you last saw it. Look at the new messages, or send yours on a branch of its own.',
      reply_in_progress:
        'A reply is being written on this branch. Wait for it, stop it, or ask on another branch.',
      idempotency_mismatch: 'A message with this id was sent before, with another text.',
      name_taken: 'A branch with the id "{id}" exists already',
    },
  },
  {
    id: 'followReply',
    method: 'get',
    path: '/api/chat/{id}/stream',
    tag: 'Chat',
    names: 'The chat',
    summary: 'Follow a reply',
    description: 'From its first part on, whichever process writes it.',
    query: followQuery,
    answers: [stream, { status: 204, description: 'Nothing is being written there.' }],
  },
  {
    id: 'stopReply',
    method: 'post',
    path: '/api/chat/{id}/stop',
    tag: 'Chat',
    names: 'The chat',
    summary: 'Stop a reply',
    description: 'Ends it where it stands and keeps it. Asked again, it answers the same.',
    body: { schema: stopRequest, example: { runId: run } },
    answers: [
      {
        status: 200,
        description: 'How the reply ended.',
        schema: stopped,
        example: { status: 'stopped', messageId: message.id },
      },
    ],
  },
  {
    id: 'readGraph',
    method: 'get',
    path: '/api/chats/{id}/graph',
    tag: 'Chat',
    names: 'The chat',
    summary: 'The graph of a chat',
    query: columnsQuery,
    answers: [
      {
        status: 200,
        description: 'The graph; with `since`, what changed after that event.',
        schema: graphAnswer,
        example: emptyGraph,
      },
    ],
  },
  {
    id: 'readHistory',
    method: 'get',
    path: '/api/chats/{id}/history',
    tag: 'Chat',
    names: 'The chat',
    summary: 'What moved in a chat',
    description:
      'Every movement of its branches and checkpoints, oldest first: with the graph at hand, the graph as it was at any time.',
    query: graphQuery,
    answers: [
      {
        status: 200,
        description: 'The movements; with `since`, those after that event.',
        schema: historyAnswer,
        example: {
          ...{ chatId: 'trip', seq: 2, kinds: 'em', seqs: [1, 1], times: [1773480413589, 7615] },
          ...{ places: [0, 0], refs: [0, -1, 0], ids: ['b1'], names: ['main'] },
        },
      },
    ],
  },
  {
    id: 'readWindow',
    method: 'get',
    path: '/api/chats/{id}/messages',
    tag: 'Chat',
    names: 'The chat',
    summary: 'The end of a branch',
    query: windowQuery,
    answers: [
      {
        status: 200,
        description: 'A window of the branch’s chain, root first.',
        schema: chatWindow,
        example: { messages: [{ ...message, metadata: { createdAt: 1773480421204 } }], start: 0 },
      },
    ],
  },
  {
    id: 'watchChat',
    method: 'get',
    path: '/api/live',
    tag: 'Chat',
    summary: 'Watch a chat',
    description:
      'Everything written to a chat, as it happens: `delta` with a GraphDelta, whose id is the log’s position then, and `gone` when the chat is deleted.',
    query: liveQuery,
    headers: { 'Last-Event-ID': { schema: liveQuery.shape.since } },
    answers: [
      {
        status: 200,
        description: 'The changes.',
        type: 'text/event-stream',
        example: 'event: delta\nid: 4\ndata: {"chatId":"trip","seq":4}\n\n',
      },
    ],
  },
  {
    id: 'readHealth',
    method: 'get',
    path: '/api/health',
    tag: 'Operations',
    asks: 'anybody',
    summary: 'Is it well?',
    answers: [
      {
        status: 200,
        description: 'The database answers; `degraded` says what else is not as it should be.',
        schema: health,
        example: { status: 'ok', database: 'ok', worker: 'on', degraded: [] },
      },
      {
        status: 503,
        description: 'It does not.',
        schema: health,
        example: {
          status: 'degraded',
          database: 'unreachable',
          worker: 'on',
          degraded: [{ what: 'database', detail: 'The database cannot be reached.' }],
        },
      },
    ],
  },
  ...(['get', 'post'] as const).map(
    (method): Operation => ({
      id: method === 'get' ? 'workOnce' : 'workOnceByPost',
      method,
      path: '/api/cron/replies',
      tag: 'Operations',
      asks: 'scheduler',
      summary: method === 'get' ? 'Do a worker’s part once' : 'The same, by POST',
      description:
        'Where no process lives long, a scheduler calls this each minute. It needs `CRON_SECRET` as a bearer token, and without one it does not exist.',
      answers: [
        {
          status: 200,
          description: 'What was done.',
          schema: z.object({ taken: z.int(), indexed: z.int(), forgotten: z.int(), followed: z.int() }),
          example: { taken: 1, indexed: 2, forgotten: 0, followed: 9 },
        },
      ],
    }),
  ),
  {
    id: 'describe',
    method: 'get',
    path: '/api/openapi.json',
    tag: 'Operations',
    asks: 'anybody',
    summary: 'This description',
    answers: [
      {
        status: 200,
        description: 'An OpenAPI 3.1 document.',
        schema: z.looseObject({ openapi: z.string() }),
      },
    ],
  },
]
