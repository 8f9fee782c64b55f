import 'server-only'
import { z } from 'zod'
import { payloads } from '@/lib/events'
import { component } from '../components'
import { instant, MAX_INT, wholeNumber } from './common'

// What the commands and reads of threads take and give, in the words of CONTRACT.md. Commands refuse fields they do not
// know: a misspelt expected_version must not be a write without one.

const threadId = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: ['019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f10'] })
const forkId = z.string().meta({ examples: ['branch-019d3c20-11d4-7be1-8c55-6f0e5d1f6a02'] })
const messageId = z.string().meta({ examples: ['019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61'] })
const eventNumber = z
  .int()
  .meta({ description: 'Counts along the whole history of a thread, from 1', examples: [4] })

export const createThreadRequest = component(
  'CreateThreadRequest',
  z.strictObject({
    title: z
      .string()
      .optional()
      .meta({
        description: 'What the chat is called',
        minLength: 1,
        maxLength: 200,
        examples: ['Three days in Lisbon'],
      }),
  }),
)

export const createdThread = component(
  'CreatedThread',
  z.object({ chat_id: z.string(), thread_id: threadId, event_number: eventNumber }),
)

export const sendMessageRequest = component(
  'SendMessageRequest',
  z.strictObject({
    thread_id: threadId,
    content: z
      .string({ error: ({ input }) => (input === undefined ? 'Message cannot be empty' : undefined) })
      .meta({
        description: 'Text, with more in it than white space',
        minLength: 1,
        maxLength: 100_000,
        examples: ['I am devansh'],
      }),
    expected_version: z
      .int()
      .optional()
      .meta({
        description: 'The thread’s last event number. When it has another one by now, nothing is written',
        examples: [4],
      }),
  }),
)

export const sentMessage = component(
  'SentMessage',
  z.object({ thread_id: threadId, message_id: messageId, event_number: eventNumber }),
)

export const forkThreadRequest = component(
  'ForkThreadRequest',
  z.strictObject({
    source_thread_id: threadId,
    event_number: z.int().meta({ description: 'The last event the fork inherits', examples: [4] }),
  }),
)

export const forkedThread = component(
  'ForkedThread',
  z.object({
    thread_id: forkId,
    parent_thread_id: threadId,
    from_event_number: eventNumber,
    event_number: eventNumber,
  }),
)

const thread = component(
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

const nextThread = z
  .string()
  .nullable()
  .meta({ description: 'Where the next page begins, as `before`; null on the last one' })

export const threadList = component('ThreadList', z.object({ threads: z.array(thread), next: nextThread }))

export const branchList = component(
  'BranchList',
  z.object({ thread_id: threadId, branches: z.array(thread), next: nextThread }),
)

const threadMessage = component(
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

const nextEvent = z
  .int()
  .nullable()
  .meta({ description: 'Where the next page begins, as `after`; null on the last one' })

export const messageList = component(
  'ThreadMessageList',
  z.object({ thread_id: threadId, messages: z.array(threadMessage), next: nextEvent }),
)

const eventOf = <Type extends string, Payload extends z.ZodType>(type: Type, payload: Payload) =>
  z.object({ event_number: eventNumber, type: z.literal(type), payload, created_at: instant })

const said = { content: z.string().meta({ description: 'The text of the message' }) }

const threadEvent = component(
  'ThreadEvent',
  z.discriminatedUnion('type', [
    eventOf('ThreadCreated', payloads.ThreadCreated),
    eventOf('ThreadForked', payloads.ThreadForked),
    eventOf('UserMessageAdded', payloads.UserMessageAdded.extend(said)),
    eventOf('LLMResponseGenerated', payloads.LLMResponseGenerated.extend(said)),
    eventOf('CheckpointCreated', payloads.CheckpointCreated),
    eventOf('ContextChanged', payloads.ContextChanged),
    eventOf('ReplyFailed', payloads.ReplyFailed),
    eventOf('ReplyStopped', payloads.ReplyStopped),
  ]),
)

export const eventList = component(
  'ThreadEventList',
  z.object({ events: z.array(threadEvent), next: nextEvent }),
)

export const threadHead = component(
  'ThreadHead',
  z.object({
    thread_id: threadId,
    head_message_id: z.string().nullable(),
    event_number: eventNumber,
    checkpoint_id: z.string().nullable().meta({ description: 'Of the head, when that is a reply' }),
    status: z.enum(['idle', 'running', 'failed']).meta({
      description:
        '`running`: a reply is waited for. `failed`: the head has no whole reply, and nobody is working on one',
    }),
  }),
)

/** The page of a list of threads. */
export const threadsQuery = z.object({
  limit: wholeNumber(1, 500).default(100).meta({ description: 'How many at most' }),
  before: z.string().min(1).optional().meta({ description: 'The last thread of the page before' }),
})

/** The page of what happened in a thread. */
export const historyQuery = z.object({
  after: wholeNumber(0, MAX_INT).default(0).meta({ description: 'Only what came after this event number' }),
  limit: wholeNumber(1, 1000).default(1000).meta({
    description: 'How many at most; long messages end a page early, and `next` says where to go on',
  }),
})

/** Where an `EventSource` that reconnects says it was. */
export const lastEventId = wholeNumber(0, MAX_INT)
  .optional()
  .meta({ description: 'Resumes a stream after this event; goes before `after`' })
