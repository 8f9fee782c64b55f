import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import type { PresetContent } from '@/lib/protocol'
import { fewestReplies, mostReplies } from '@/lib/protocol/fan-out'
import { named } from '@/lib/protocol/fields'
import { RequestRefusedError, sentences } from '../../http/problem'
import { commandHeaders, eventNumber, example, messageId, onceOf, threadId } from '../commands'
import { defineOperation } from '../operation'

const { idempotency_mismatch, reply_in_progress, head_moved } = sentences
const howMany = `${fewestReplies} to ${mostReplies}`
/** More than a use case takes, which says how many it does. */
const list = (item: z.ZodString) => z.array(item).max(50).optional()

const fanOutRequest = named(
  'FanOutRequest',
  z.strictObject({
    thread_id: threadId,
    content: z
      .string()
      .optional()
      .meta({
        description: 'A new message',
        minLength: 1,
        maxLength: 100_000,
        examples: ['Where to in May?'],
      }),
    message_id: messageId
      .optional()
      .meta({ description: 'A stored message of yours to answer again, or a reply to it' }),
    models: list(z.string().min(1).max(200)).meta({
      description: `The model of each reply, ${howMany}; one may be there several times`,
      examples: [['openai:gpt-6-luna', 'anthropic:claude-sonnet-5-5']],
    }),
    count: z
      .int()
      .optional()
      .meta({ description: `So many replies by the thread’s own model, ${howMany}` }),
    contexts: list(z.string().min(1).max(128)).meta({
      description: `The context of each reply, ${howMany}: ids of contexts that the chat has (\`GET /api/chats/{id}/contexts\`)`,
    }),
    presets: list(z.string().min(1).max(128)).meta({
      description: `The preset that each reply is asked with, ${howMany}: ids of your own (\`GET /api/context-presets\`). Memories and model stay those of the thread`,
    }),
  }),
)

const fannedOut = named(
  'FannedOut',
  z.object({
    chat_id: z.string(),
    thread_id: threadId.meta({ description: 'The thread of the first reply' }),
    event_number: eventNumber.optional(),
    message_id: messageId.meta({ description: 'The message that is answered' }),
    threads: z
      .array(z.object({ thread_id: threadId, model: z.string(), context_id: z.string() }))
      .meta({ description: 'One for each reply, in the order in which they were asked for' }),
  }),
)

type FanOut = z.output<typeof fanOutRequest>

export const fanOut = defineOperation({
  id: 'fanOut',
  method: 'post',
  path: '/api/commands/fan-out',
  tag: 'Commands',
  summary: 'Fan out',
  description:
    'Asks for several replies to one message at once, each on a thread of its own: by several models, several times by one, in several contexts, or with several presets. Give `content` or `message_id`, and one of `models`, `count`, `contexts` and `presets`. A new message is added to the thread, which gets the first reply; for every other one a thread opens at the message. A stored message gets a new thread for each, unless it still waits at the end of the thread. All of it is one transaction; workers write the replies, and those for which there is no place wait.',
  names: 'Thread',
  input: { headers: commandHeaders, body: fanOutRequest },
  example: { thread_id: example.thread, content: 'Where to in May?', count: 3 },
  output: {
    status: 201,
    description: 'The threads exist, and a reply on each is queued.',
    schema: fannedOut,
    example: {
      chat_id: example.chat,
      thread_id: example.thread,
      event_number: 2,
      message_id: example.question,
      threads: [example.thread, example.fork].map((thread_id) => ({
        thread_id,
        model: 'openai:gpt-6-luna',
        context_id: '9f2c41d0',
      })),
    },
  },
  refusals: { reply_in_progress, head_moved, idempotency_mismatch },
  use: async ({ ports, ownerId, services, ...call }) =>
    useCases.fanOutOnce(ports, {
      ownerId,
      once: onceOf('fan-out', call),
      threadId: call.body.thread_id,
      ...saidIn(call.body),
      targets: targetsOf(call.body, call.body.presets && (await services.contextPresets.list(ownerId))),
    }),
})

function saidIn({ content, message_id }: FanOut): { content: string } | { messageId: string } {
  if (content !== undefined && message_id === undefined) return { content }
  if (message_id !== undefined && content === undefined) return { messageId: message_id }
  throw unclear('Give either `content` or `message_id`.')
}

/** @param own the presets of the person, where some are named */
function targetsOf(
  { models, count, contexts, presets }: FanOut,
  own: readonly { id: string; content: PresetContent }[] = [],
): useCases.Target[] {
  const given = [models, count, contexts, presets].filter((choice) => choice !== undefined)
  if (given.length !== 1) throw unclear('Give one of `models`, `count`, `contexts` and `presets`.')
  if (models) return models.map((model) => ({ model }))
  if (contexts) return contexts.map((contextId) => ({ contextId }))
  if (presets) {
    return presets.map((id) => {
      const preset = own.find((other) => other.id === id)?.content
      if (!preset) throw new RequestRefusedError(400, 'unknown_preset', 'You have no such preset.')
      return { preset }
    })
  }
  // a number that is refused is not made into a list first
  return Array.from({ length: Math.min(Math.max(count ?? 0, 0), mostReplies + 1) }, () => ({}))
}

const unclear = (detail: string) => new RequestRefusedError(400, 'invalid', detail)

const keepThreadRequest = named(
  'KeepThreadRequest',
  z.strictObject({
    thread_id: threadId.meta({ description: 'The thread to keep' }),
    other_thread_ids: z.array(threadId).min(1).max(50).meta({
      description: 'The threads to archive; one that is archived already stays so',
    }),
  }),
)

const keptThread = named(
  'KeptThread',
  z.object({ chat_id: z.string(), thread_id: threadId, event_number: eventNumber.optional() }),
)

export const keepThread = defineOperation({
  id: 'keepThread',
  method: 'post',
  path: '/api/commands/keep-thread',
  tag: 'Commands',
  summary: 'Keep thread',
  description:
    'Keeps one of several replies to a message: the chat opens on its thread from now on, and the others are archived with that. One `undo` brings them back. All the threads must end on replies to the same message, and none of the others may still be written: stop it first.',
  names: 'Thread',
  input: { headers: commandHeaders, body: keepThreadRequest },
  example: { thread_id: example.thread, other_thread_ids: [example.fork] },
  output: {
    status: 201,
    description: 'The thread is kept, and the others are archived.',
    schema: keptThread,
    example: { chat_id: example.chat, thread_id: example.thread, event_number: 4 },
  },
  refusals: { reply_in_progress, head_moved, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.keepThreadOnce(ports, {
      ownerId,
      once: onceOf('keep-thread', call),
      threadId: call.body.thread_id,
      otherIds: call.body.other_thread_ids,
    }),
})
