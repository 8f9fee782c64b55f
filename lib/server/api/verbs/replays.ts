import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { named } from '@/lib/protocol/fields'
import { type ReplayPreview, type ReplayReport, replayPreview, replayReport } from '@/lib/protocol/replays'
import { heavily } from '../../http/heavy-work'
import { sentences } from '../../http/problem'
import { chatId } from '../chat-fields'
import { commandHeaders, eventNumber, example, messageId, onceOf, threadId } from '../commands'
import { defineOperation } from '../operation'

const replayId = z.string().min(1).max(128)

const how = {
  from_message_id: messageId
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'Your messages from this one on are asked again; all of the thread unless given' }),
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        '`provider:model`; the thread’s own unless given, and that of a context which is named by its id',
      examples: ['openai:gpt-6-luna'],
    }),
  context: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({
      description:
        '`original`, the context that was in force at the first of them, unless given; `current`, the one in force on the thread now; or the id of a context of the chat',
      examples: ['current'],
    }),
}

const replayRequest = named(
  'ReplayThreadRequest',
  z.strictObject({
    source_thread_id: threadId,
    ...how,
    content: z
      .string()
      .optional()
      .meta({ description: 'Said in place of the text of the first message', maxLength: 100_000 }),
    anyway: z.boolean().optional().meta({
      description:
        'Begin although files or tools are gone. Without it the replay begins paused, and says what is missing',
    }),
  }),
)

const startedReplay = named(
  'StartedReplay',
  z.object({
    chat_id: z.string(),
    thread_id: threadId.meta({ description: 'The new thread' }),
    event_number: eventNumber,
    message_id: messageId
      .nullable()
      .meta({ description: 'The first question; null while the replay is paused' }),
    replay_id: replayId,
  }),
)

const replayExample = '019d3c22-0b1a-7d0c-8a57-1f2e3d4c5b6a'
const { nothing_to_replay, replay_over, replay_moved, idempotency_mismatch } = sentences

export const replayThread = defineOperation({
  id: 'replayThread',
  method: 'post',
  path: '/api/commands/replay-thread',
  tag: 'Commands',
  summary: 'Replay thread',
  description:
    'Asks your messages of a thread again, one after the other, on a new thread: with another model, in another context, or with other words in the first one. The replies are written on the server; list the replays of the chat to see how far they have come.',
  names: 'Thread',
  input: { headers: commandHeaders, body: replayRequest },
  example: { source_thread_id: example.thread, model: 'openai:gpt-6-luna' },
  output: {
    status: 201,
    description: 'The replay has begun: its first question is stored, and a reply to it is queued.',
    schema: startedReplay,
    example: {
      chat_id: example.chat,
      thread_id: example.fork,
      event_number: 3,
      message_id: example.question,
      replay_id: replayExample,
    },
  },
  refusals: { nothing_to_replay, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) => {
    const { source_thread_id, from_message_id, ...asked } = call.body
    const once = onceOf('replay-thread', call)
    return useCases.replayThread(ports, {
      ownerId,
      once,
      threadId: source_thread_id,
      fromId: from_message_id,
      ...asked,
    })
  },
})

const inChat = z.object({ id: chatId.meta({ description: 'The chat' }) })

const preview: ReplayPreview = {
  turns: 20,
  model: 'openai:gpt-6-luna',
  input_tokens: 84_000,
  output_tokens: 9200,
  cost_usd: 0.061,
  missing: [],
}

export const previewReplay = defineOperation({
  id: 'previewReplay',
  method: 'get',
  path: '/api/chats/{id}/replays/preview',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Preview replay',
  description: 'What a replay of a branch would come to, and what is missing for it. Nothing is written.',
  input: {
    params: inChat,
    query: z.object({ branch: z.string().min(1).max(200).meta({ description: 'Name or id' }), ...how }),
  },
  output: { description: 'The estimate.', schema: replayPreview, example: preview },
  refusals: { nothing_to_replay },
  use: ({ request: { signal }, ports, ownerId, params, query }) =>
    heavily({ ports, ownerId, signal }, params.id, () =>
      useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) => {
        const { branch: branchId, from_message_id: fromId, model, context } = query
        return useCases.previewReplay(ports, { ...chat, branchId, fromId, model, context })
      }),
    ),
})

const replays: ReplayReport = {
  replays: [
    {
      replay_id: replayExample,
      thread_id: example.fork,
      source_thread_id: example.thread,
      from_message_id: example.question,
      asked: 7,
      total: 20,
      model: 'openai:gpt-6-luna',
      context_id: '9f3c…',
      status: 'running',
      reason: null,
      created_at: '2026-03-14T09:26:53.589Z',
      ended_at: null,
      replies: 6,
      input_tokens: 12_400,
      output_tokens: 2100,
      cost_usd: 0.0121,
    },
  ],
}

export const listReplays = defineOperation({
  id: 'listReplays',
  method: 'get',
  path: '/api/chats/{id}/replays',
  tag: 'Chats',
  names: 'Chat',
  summary: 'List replays',
  description: 'The replays of a chat, the latest first: how far each has come, and what its replies took.',
  input: { params: inChat },
  output: { description: 'The replays.', schema: replayReport, example: replays },
  use: ({ ports, ownerId, params }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) => useCases.readReplays(ports, chat)),
})

export const steerReplay = defineOperation({
  id: 'steerReplay',
  method: 'post',
  path: '/api/chats/{id}/replays/{replay_id}',
  tag: 'Chats',
  names: 'Replay',
  summary: 'Steer replay',
  description:
    '`pause` lets the reply that is being written come to its end; `resume` goes on, and has a reply that failed tried again; `stop` ends the replay and its reply. What it is already is no change.',
  input: {
    params: inChat.extend({ replay_id: replayId.meta({ description: 'The replay' }) }),
    body: named('SteerReplayRequest', z.strictObject({ action: z.enum(['pause', 'resume', 'stop']) })),
  },
  example: { action: 'pause' },
  output: {
    description: 'The replay, as it stands now.',
    schema: replayReport.shape.replays.element,
    example: { ...replays.replays[0], status: 'paused' as const },
  },
  refusals: { replay_over, replay_moved },
  use: ({ ports, ownerId, params, body }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, async (chat) => {
      const asked = { ...chat, replayId: params.replay_id }
      await useCases.steerReplay(ports, { ...asked, ...body })
      const { replays } = await useCases.readReplays(ports, chat)
      return replays.find(({ replay_id }) => replay_id === asked.replayId) as ReplayReport['replays'][number]
    }),
})
