import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { wholeNumber } from '@/lib/protocol/fields'
import { chatUsageReport, usageReport } from '@/lib/protocol/usage'
import { defineOperation } from './operation'

const line = {
  model: 'openai:gpt-6-luna',
  replies: 12,
  input_tokens: 18_400,
  cached_tokens: 12_000,
  cache_write_tokens: 0,
  output_tokens: 5200,
  cost_usd: 0.0312,
}

export const readUsage = defineOperation({
  id: 'readUsage',
  method: 'get',
  path: '/api/usage',
  tag: 'Models',
  summary: 'Read usage',
  description: 'Tokens and cost of the replies in your chats, by day, model and chat. A reply counts once.',
  input: {
    query: z.object({
      days: wholeNumber(1, 366).default(30).meta({ description: 'How many days, up to today, in UTC' }),
    }),
  },
  output: {
    description: 'The usage.',
    schema: usageReport,
    example: {
      from: '2026-03-01',
      days: [{ day: '2026-03-14', ...line }],
      chats: [{ chat_id: 'trip', title: 'A week in Lisbon', models: [line] }],
    },
  },
  use: ({ ports, ownerId, query }) => useCases.readUsage(ports, { ownerId, ...query }),
})

export const readChatUsage = defineOperation({
  id: 'readChatUsage',
  method: 'get',
  path: '/api/chats/{id}/usage',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Read usage of chat',
  description: 'Tokens and cost of the replies of a chat: in all, and on each branch with those it inherits.',
  input: { params: z.object({ id: z.string().meta({ description: 'The chat' }) }) },
  output: {
    description: 'The usage.',
    schema: chatUsageReport,
    example: { total: [line], branches: [{ id: 'b1', models: [line] }] },
  },
  use: ({ ports, ownerId, params }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) =>
      useCases.readChatUsage(ports, chat),
    ),
})
