import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { type BisectReport, bisectJudge, bisectReport } from '@/lib/protocol/bisects'
import { named } from '@/lib/protocol/fields'
import { sentences } from '../../http/problem'
import { chatId } from '../chat-fields'
import { commandHeaders, example, messageId, onceOf } from '../commands'
import { defineOperation } from '../operation'

const { nothing_to_bisect, replay_over, replay_moved, idempotency_mismatch } = sentences
const bisect = bisectReport.shape.bisects.element
const inChat = z.object({ id: chatId.meta({ description: 'The chat' }) })
const judge = { kind: 'text' as const, text: 'in the south' }

const begun: BisectReport['bisects'][number] = {
  bisect_id: '019d3c25-7b1a-7d0c-8a57-1f2e3d4c5b6a',
  message_id: example.reply,
  question_id: example.question,
  turns: 10,
  judge,
  runs: 1,
  runs_left: 3,
  asked_below: 4,
  asked_without: null,
  thread_id: example.fork,
  reply: null,
  status: 'running',
  reason: null,
  found_message_id: null,
  confirmed: null,
  created_at: '2026-03-14T09:26:53.589Z',
  ended_at: null,
}

export const startBisect = defineOperation({
  id: 'startBisect',
  method: 'post',
  path: '/api/chats/{id}/bisects',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Start bisect',
  description:
    'Finds the turn that made a reply say something: its question is asked again below shorter beginnings of its chain, each on a branch that is archived once it is judged. Of n turns that takes log₂ n runs, and one without the turn that was found. The turn gets a checkpoint.',
  input: {
    headers: commandHeaders,
    params: inChat,
    body: named(
      'StartBisectRequest',
      z.strictObject({
        message_id: messageId.min(1).max(128).meta({ description: 'The reply' }),
        judge: bisectJudge,
      }),
    ),
  },
  example: { message_id: example.reply, judge },
  output: { status: 201, description: 'The bisect has begun.', schema: bisect, example: begun },
  refusals: { nothing_to_bisect, idempotency_mismatch },
  use: ({ ports, ownerId, params, headers, body }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) => {
      // the same body in another chat is another command
      const once = onceOf('start-bisect', { headers, body: { ...body, chat_id: chat.chatId } })
      return useCases.startBisect(ports, { ...chat, once, messageId: body.message_id, judge: body.judge })
    }),
})

export const listBisects = defineOperation({
  id: 'listBisects',
  method: 'get',
  path: '/api/chats/{id}/bisects',
  tag: 'Chats',
  names: 'Chat',
  summary: 'List bisects',
  description: 'The bisects of a chat, the latest first: where each stands, and what it has found.',
  input: { params: inChat },
  output: { description: 'The bisects.', schema: bisectReport, example: { bisects: [begun] } },
  use: ({ ports, ownerId, params }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) => useCases.readBisects(ports, chat)),
})

export const steerBisect = defineOperation({
  id: 'steerBisect',
  method: 'post',
  path: '/api/chats/{id}/bisects/{bisect_id}',
  tag: 'Chats',
  names: 'Bisect',
  summary: 'Steer bisect',
  description:
    'Says whether the reply that waits for your word still says it, has a run that failed done again, or ends the search.',
  input: {
    params: inChat.extend({ bisect_id: z.string().min(1).max(128).meta({ description: 'The bisect' }) }),
    body: named(
      'SteerBisectRequest',
      z.union([
        z.strictObject({ says: z.boolean() }),
        z.strictObject({ action: z.enum(['resume', 'stop']) }),
      ]),
    ),
  },
  example: { says: true },
  output: { description: 'The bisect, as it stands now.', schema: bisect, example: begun },
  refusals: { replay_over, replay_moved },
  use: ({ ports, ownerId, params, body }) =>
    useCases.inCalledChat(ports, { ownerId, chatId: params.id }, (chat) =>
      useCases.steerBisect(ports, { ...chat, bisectId: params.bisect_id, ...body }),
    ),
})
