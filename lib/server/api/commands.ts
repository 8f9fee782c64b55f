import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CommandKey, canonicalJson } from '@/lib/context'
import * as useCases from '@/lib/conversations'
import { named } from '@/lib/protocol/fields'
import { sentences } from '../http/problem'
import { defineOperation } from './operation'

// Commands in the words of CONTRACT.md. They refuse fields they do not know: a misspelt expected_version must not be a
// write without one.

const message = '019d3c1e-9d08-7113-8a5e-2f4d9b6c7e33'

/** The thread of every example on the API page. */
export const example = {
  chat: '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f0e',
  thread: '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f10',
  fork: 'branch-019d3c20-11d4-7be1-8c55-6f0e5d1f6a02',
  question: '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61',
  reply: message,
  checkpoint: `ckpt-${message}`,
}

export const threadId = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: [example.thread] })

export const messageId = z.string().meta({ examples: [example.question] })

export const eventNumber = z
  .int()
  .meta({ description: 'Counts along the whole history of a thread, from 1', examples: [4] })

export const commandHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'An Idempotency-Key has 1 to 255 printable ASCII characters.')
    .optional()
    .meta({
      description:
        'A text of your choice for this one command. Sent again with the same body, the command returns its first answer and does nothing; with another body it is refused. Kept for two days.',
      examples: ['7f0c6f2e-send-1'],
    }),
})

const { idempotency_mismatch } = sentences

/** The key of a command, from its header. Equal bodies are the same command, in any order of their fields. */
export function onceOf(
  route: string,
  { headers: sent, body }: { headers: z.output<typeof commandHeaders>; body: object },
): CommandKey | undefined {
  const key = sent['Idempotency-Key']
  if (key === undefined) return undefined
  return { key, route, bodyHash: createHash('sha256').update(canonicalJson(body)).digest('hex') }
}

const createThreadRequest = named(
  'CreateThreadRequest',
  z.strictObject({
    title: z
      .string()
      .optional()
      .meta({
        description: 'The title of the chat',
        minLength: 1,
        maxLength: 200,
        examples: ['Three days in Lisbon'],
      }),
  }),
)

const createdThread = named(
  'CreatedThread',
  z.object({ chat_id: z.string(), thread_id: threadId, event_number: eventNumber }),
)

export const createThread = defineOperation({
  id: 'createThread',
  method: 'post',
  path: '/api/commands/create-thread',
  tag: 'Commands',
  summary: 'Create thread',
  description: 'Creates a chat with one empty thread.',
  input: { headers: commandHeaders, body: createThreadRequest },
  example: { title: 'Three days in Lisbon' },
  output: {
    status: 201,
    description: 'The thread exists.',
    schema: createdThread,
    example: { chat_id: example.chat, thread_id: example.thread, event_number: 1 },
  },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.createThread(ports, { ownerId, once: onceOf('create-thread', call), title: call.body.title }),
})

const sendMessageRequest = named(
  'SendMessageRequest',
  z.strictObject({
    thread_id: threadId,
    content: z
      .string({ error: ({ input }) => (input === undefined ? 'Message cannot be empty' : undefined) })
      .meta({
        description: 'Text that is not white space only',
        minLength: 1,
        maxLength: 100_000,
        examples: ['I am devansh'],
      }),
    expected_version: z
      .int()
      .optional()
      .meta({
        description:
          'The last event number of the thread that you know. If there is a later one, nothing is written',
        examples: [4],
      }),
  }),
)

const sentMessage = named(
  'SentMessage',
  z.object({ thread_id: threadId, message_id: messageId, event_number: eventNumber }),
)

export const sendMessage = defineOperation({
  id: 'sendMessage',
  method: 'post',
  path: '/api/commands/send-message',
  tag: 'Commands',
  summary: 'Send message',
  description:
    'Adds your message to a thread. A worker writes the reply. Only a limited number of your replies is written at once; the others wait. To see when the reply is stored, read the thread head until its status is `idle`, or follow the events.',
  names: 'Thread',
  input: { headers: commandHeaders, body: sendMessageRequest },
  example: { thread_id: example.thread, content: 'I am devansh', expected_version: 1 },
  output: {
    status: 202,
    description: 'The message is stored, and a reply to it is queued.',
    schema: sentMessage,
    example: { thread_id: example.thread, message_id: example.question, event_number: 2 },
  },
  refusals: {
    expected_version: sentences.expected_version(4, 1),
    reply_in_progress: sentences.reply_in_progress,
    idempotency_mismatch,
  },
  use: ({ ports, ownerId, ...call }) =>
    useCases.sendMessage(ports, {
      ownerId,
      once: onceOf('send-message', call),
      threadId: call.body.thread_id,
      content: call.body.content,
      expectedVersion: call.body.expected_version,
    }),
})

const forkThreadRequest = named(
  'ForkThreadRequest',
  z.strictObject({
    source_thread_id: threadId,
    event_number: z.int().meta({ description: 'The last event the fork inherits', examples: [4] }),
  }),
)

const forkedThread = named(
  'ForkedThread',
  z.object({
    thread_id: z.string().meta({ examples: [example.fork] }),
    parent_thread_id: threadId,
    from_event_number: eventNumber,
    event_number: eventNumber,
  }),
)

export const forkThread = defineOperation({
  id: 'forkThread',
  method: 'post',
  path: '/api/commands/fork-thread',
  tag: 'Commands',
  summary: 'Fork thread',
  description:
    'Creates a thread that inherits the events of another thread up to `event_number`, and the context in force there. Later events of either thread do not reach the other. A fork that ends on a message of yours gets no reply until you send another message.',
  names: 'Thread',
  input: { headers: commandHeaders, body: forkThreadRequest },
  example: { source_thread_id: example.thread, event_number: 4 },
  output: {
    status: 201,
    description: 'The fork exists. Its own events continue the numbers of those it inherits.',
    schema: forkedThread,
    example: {
      thread_id: example.fork,
      parent_thread_id: example.thread,
      from_event_number: 4,
      event_number: 6,
    },
  },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.forkThread(ports, {
      ownerId,
      once: onceOf('fork-thread', call),
      sourceThreadId: call.body.source_thread_id,
      eventNumber: call.body.event_number,
    }),
})
