import 'server-only'
import { z } from 'zod'
import type { ThreadEvent, ThreadMessage, ThreadSummary } from '@/lib/context'
import * as useCases from '@/lib/conversations'
import { payloads } from '@/lib/events'
import { instant, MAX_INT, named, wholeNumber } from '@/lib/protocol/fields'
import { eventStreamResponse } from '../http/streams'
import { eventNumber, example, messageId, threadId } from './commands'
import { defineOperation } from './operation'

// Reads of threads, in the words and times of CONTRACT.md.

const inThread = z.object({ id: z.string().meta({ description: 'The thread' }) })

const pageOfThreads = z.object({
  limit: wholeNumber(1, 500).default(100).meta({ description: 'How many at most' }),
  before: z.string().min(1).optional().meta({ description: 'The last thread of the previous page' }),
})

const pageOfHistory = z.object({
  after: wholeNumber(0, MAX_INT).default(0).meta({ description: 'Only what comes after this event number' }),
  limit: wholeNumber(1, 1000).default(1000).meta({
    description: 'How many at most. Long messages end a page early; `next` says where the next page begins',
  }),
})

const begun = '2026-03-14T09:26:53.589Z'
const asked = '2026-03-14T09:27:01.204Z'
const replied = '2026-03-14T09:27:02.718Z'

const iso = (time: number): string => new Date(time).toISOString()

/** The checkpoint that follows every stored reply (DESIGN.md §8). */
const checkpointOf = (replyId: string): string => `ckpt-${replyId}`

const thread = named(
  'Thread',
  z.object({
    thread_id: threadId,
    chat_id: z.string(),
    title: z.string().nullable(),
    parent_thread_id: z.string().nullable().meta({ description: 'The thread it was forked from' }),
    from_event_number: z.int().nullable().meta({ description: 'The last event it inherits' }),
    head_message_id: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
)

const threadJson = (summary: ThreadSummary): z.input<typeof thread> => ({
  thread_id: summary.threadId,
  chat_id: summary.chatId,
  title: summary.title,
  parent_thread_id: summary.parentThreadId,
  from_event_number: summary.fromEventNumber,
  head_message_id: summary.headMessageId,
  created_at: iso(summary.createdAt),
  updated_at: iso(summary.updatedAt),
})

const forkedFrom = {
  thread_id: example.fork,
  chat_id: example.chat,
  title: 'Three days in Lisbon',
  parent_thread_id: example.thread,
  from_event_number: 4,
  head_message_id: example.reply,
  created_at: replied,
  updated_at: replied,
}

const nextThread = z
  .string()
  .nullable()
  .meta({ description: 'Where the next page begins, as `before`; null on the last page' })

export const listThreads = defineOperation({
  id: 'listThreads',
  method: 'get',
  path: '/api/threads',
  tag: 'Threads',
  names: 'Thread',
  summary: 'List threads',
  description:
    'Your threads, newest first. The order never changes, so pages neither repeat nor skip a thread.',
  input: { query: pageOfThreads },
  output: {
    description: 'A page of your threads.',
    schema: named('ThreadList', z.object({ threads: z.array(thread), next: nextThread })),
    example: { threads: [forkedFrom], next: null },
  },
  async use({ ports, ownerId, query }) {
    const { threads, next } = await useCases.listThreads(ports, { ownerId, ...query })
    return { threads: threads.map(threadJson), next }
  },
})

const threadMessage = named(
  'ThreadMessage',
  z.object({
    event_number: eventNumber,
    message_id: messageId,
    role: z.string().meta({ examples: ['user', 'assistant'] }),
    content: z.string(),
    checkpoint_id: z.string().nullable().meta({ description: 'Of a reply; null for other messages' }),
    reply_to: z
      .string()
      .nullable()
      .meta({ description: 'The message a reply answers; null for other messages' }),
    created_at: instant,
  }),
)

function messageJson(message: ThreadMessage): z.input<typeof threadMessage> {
  const isReply = message.role === 'assistant'
  return {
    event_number: message.eventNumber,
    message_id: message.messageId,
    role: message.role,
    content: message.content,
    checkpoint_id: isReply ? checkpointOf(message.messageId) : null,
    reply_to: isReply ? message.parentId : null,
    created_at: iso(message.createdAt),
  }
}

const nextEvent = z
  .int()
  .nullable()
  .meta({ description: 'Where the next page begins, as `after`; null on the last page' })

export const readMessages = defineOperation({
  id: 'readMessages',
  method: 'get',
  path: '/api/threads/{id}/messages',
  tag: 'Threads',
  summary: 'List messages',
  description:
    'The messages of a thread, root first, inherited and own: exactly what a model is sent for the next reply.',
  names: 'Thread',
  input: { params: inThread, query: pageOfHistory },
  output: {
    description: 'The messages, in order.',
    schema: named(
      'ThreadMessageList',
      z.object({ thread_id: threadId, messages: z.array(threadMessage), next: nextEvent }),
    ),
    example: {
      thread_id: example.thread,
      messages: [
        {
          event_number: 2,
          message_id: example.question,
          role: 'user',
          content: 'I am devansh',
          checkpoint_id: null,
          reply_to: null,
          created_at: asked,
        },
        {
          event_number: 3,
          message_id: example.reply,
          role: 'assistant',
          content: 'Nice to meet you, devansh.',
          checkpoint_id: example.checkpoint,
          reply_to: example.question,
          created_at: replied,
        },
      ],
      next: null,
    },
  },
  async use({ ports, ownerId, params, query }) {
    const inside = { ownerId, threadId: params.id, ...query }
    const { messages, next } = await useCases.readThreadMessages(ports, inside)
    return { thread_id: params.id, messages: messages.map(messageJson), next }
  },
})

const eventOf = <Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) =>
  z.object({ event_number: eventNumber, type: z.literal(type), payload, created_at: instant })

const content = { content: z.string().meta({ description: 'The text of the message' }) }

const threadEvent = named(
  'ThreadEvent',
  z.discriminatedUnion('type', [
    eventOf('ThreadCreated', payloads.ThreadCreated),
    eventOf('ThreadForked', payloads.ThreadForked),
    eventOf('UserMessageAdded', payloads.UserMessageAdded.extend(content)),
    eventOf('LLMResponseGenerated', payloads.LLMResponseGenerated.extend(content)),
    eventOf('CheckpointCreated', payloads.CheckpointCreated),
    eventOf('ContextChanged', payloads.ContextChanged),
    eventOf('MessageCopied', payloads.MessageCopied.extend(content)),
    eventOf('HeadMoved', payloads.HeadMoved),
    eventOf('ThreadsMerged', payloads.ThreadsMerged),
    eventOf('ThreadCompacted', payloads.ThreadCompacted),
    eventOf('ReplayStarted', payloads.ReplayStarted),
    eventOf('ReplyFailed', payloads.ReplyFailed),
    eventOf('ReplyStopped', payloads.ReplyStopped),
  ]),
)

/** The type of an event decides the shape of its payload; the log has checked it. */
const eventJson = (event: ThreadEvent) =>
  ({
    event_number: event.eventNumber,
    type: event.type,
    payload: event.content === undefined ? event.payload : { ...event.payload, content: event.content },
    created_at: iso(event.createdAt),
  }) as z.input<typeof threadEvent>

const events = [
  {
    event_number: 1,
    type: 'ThreadCreated',
    payload: {
      thread_id: example.thread,
      name: 'main',
      head_message_id: null,
      context_id: '31e0a3b9c184647f68384ebd6464671f6b1ac8e9db1bd86faec79cf528fd7c82',
    },
    created_at: begun,
  },
  {
    event_number: 2,
    type: 'UserMessageAdded',
    payload: { message_id: example.question, role: 'user', content: 'I am devansh' },
    created_at: asked,
  },
]

export const readEvents = defineOperation({
  id: 'readEvents',
  method: 'get',
  path: '/api/threads/{id}/events',
  tag: 'Threads',
  names: 'Thread',
  summary: 'List events',
  description:
    'The events of a thread, inherited and own, numbered as one sequence. With `Accept: text/event-stream` the answer stays open and sends events as they happen: `id` is the event’s number, `event` its type, `data` the event as in the list. A stream ends after a few minutes; an `EventSource` then reconnects and resumes by itself.',
  input: {
    params: inThread,
    query: pageOfHistory,
    headers: z.object({
      'Last-Event-ID': z.preprocess(
        (sent) => sent || undefined,
        wholeNumber(0, MAX_INT)
          .optional()
          .meta({ description: 'Resumes a stream after this event; counts before `after`' }),
      ),
    }),
  },
  streams: 'on request',
  output: {
    description: 'The events, in order.',
    schema: named('ThreadEventList', z.object({ events: z.array(threadEvent), next: nextEvent })),
    example: { events, next: null },
  },
  others: [
    {
      description: 'The same events one by one, as they happen.',
      type: 'text/event-stream',
      example: `id: 2\nevent: UserMessageAdded\ndata: ${JSON.stringify(events[1])}\n\n`,
    },
  ],
  async use({ ports, ownerId, streamed, params, query, headers, ...call }) {
    const inside = { ownerId, threadId: params.id }
    if (!streamed) {
      const page = await useCases.readThreadEvents(ports, { ...inside, ...query })
      return { events: page.events.map(eventJson), next: page.next }
    }
    const after = headers['Last-Event-ID'] ?? query.after
    const news = await useCases.watchThread(ports, { ...inside, after })
    return eventStreamResponse(call, news, (told) =>
      told.kind === 'event'
        ? { event: told.event.type, id: told.event.eventNumber, data: eventJson(told.event) }
        : {},
    )
  },
})

export const listBranches = defineOperation({
  id: 'listBranches',
  method: 'get',
  path: '/api/threads/{id}/branches',
  tag: 'Threads',
  summary: 'List forks',
  description: 'The threads that were forked from this thread itself, newest first.',
  names: 'Thread',
  input: { params: inThread, query: pageOfThreads },
  output: {
    description: 'A page of forks.',
    schema: named(
      'BranchList',
      z.object({ thread_id: threadId, branches: z.array(thread), next: nextThread }),
    ),
    example: { thread_id: example.thread, branches: [forkedFrom], next: null },
  },
  async use({ ports, ownerId, params, query }) {
    const { threads, next } = await useCases.listForks(ports, { ownerId, threadId: params.id, ...query })
    return { thread_id: params.id, branches: threads.map(threadJson), next }
  },
})

export const readHead = defineOperation({
  id: 'readHead',
  method: 'get',
  path: '/api/threads/{id}/head',
  tag: 'Threads',
  names: 'Thread',
  summary: 'Read thread head',
  description:
    'The last message of a thread and its last event number, which `expected_version` is compared with.',
  input: { params: inThread },
  output: {
    description: 'The head.',
    schema: named(
      'ThreadHead',
      z.object({
        thread_id: threadId,
        head_message_id: z.string().nullable(),
        event_number: eventNumber,
        checkpoint_id: z.string().nullable().meta({ description: 'Of the head, if it is a reply' }),
        status: z.enum(['idle', 'running', 'failed']).meta({
          description:
            '`running`: a reply is queued or being written. `failed`: the head has no complete reply, and none is being written',
        }),
      }),
    ),
    example: {
      thread_id: example.thread,
      head_message_id: example.reply,
      event_number: 4,
      checkpoint_id: example.checkpoint,
      status: 'idle',
    },
  },
  async use({ ports, ownerId, params }) {
    const head = await useCases.readThreadHead(ports, { ownerId, threadId: params.id })
    const { headMessageId, eventNumber: event_number, role, status } = head
    return {
      thread_id: params.id,
      head_message_id: headMessageId,
      event_number,
      checkpoint_id: role === 'assistant' && headMessageId ? checkpointOf(headMessageId) : null,
      status,
    }
  },
})
