import 'server-only'
import { z } from 'zod'
import type { Operation } from '../operation'
import {
  branchList,
  createdThread,
  createThreadRequest,
  eventList,
  forkedThread,
  forkThreadRequest,
  historyQuery,
  lastEventId,
  messageList,
  sendMessageRequest,
  sentMessage,
  threadHead,
  threadList,
  threadsQuery,
} from '../schemas/thread-schemas'

const chat = '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f0e'
const thread = '019d3c1e-7a52-7c1b-9f43-0f6b0b7a2f10'
const fork = 'branch-019d3c20-11d4-7be1-8c55-6f0e5d1f6a02'
const question = '019d3c1e-9d07-7a44-b1a7-5a2f0c9f5e61'
const reply = '019d3c1e-9d08-7113-8a5e-2f4d9b6c7e33'
const context = '31e0a3b9c184647f68384ebd6464671f6b1ac8e9db1bd86faec79cf528fd7c82'
const begun = '2026-03-14T09:26:53.589Z'
const asked = '2026-03-14T09:27:01.204Z'
const replied = '2026-03-14T09:27:02.718Z'

const idempotencyKey = {
  'Idempotency-Key': {
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/)
      .meta({
        description:
          'A text of your own for this one command. Sent again, with the same body, it gets the first answer and does nothing; with another body it is refused. Kept for two days.',
        examples: ['7f0c6f2e-send-1'],
      }),
  },
}

const mismatch = {
  idempotency_mismatch:
    'This Idempotency-Key was used before, for another request. Take a new one for every new command.',
}

const alias = (path: string) => `Also served as \`${path.replace('/api', '')}\`.`

const forkedFrom = {
  thread_id: fork,
  chat_id: chat,
  title: 'Three days in Lisbon',
  parent_thread_id: thread,
  from_event_number: 4,
  head_message_id: reply,
  created_at: replied,
  updated_at: replied,
}

const events = [
  {
    event_number: 1,
    type: 'ThreadCreated',
    payload: { thread_id: thread, name: 'main', head_message_id: null, context_id: context },
    created_at: begun,
  },
  {
    event_number: 2,
    type: 'UserMessageAdded',
    payload: { message_id: question, role: 'user', content: 'I am devansh' },
    created_at: asked,
  },
]

export const threadOperations: Operation[] = [
  {
    id: 'createThread',
    method: 'post',
    path: '/api/commands/create-thread',
    tag: 'Commands',
    summary: 'Begin a chat',
    description: `Makes a chat with one empty thread. ${alias('/api/commands/create-thread')}`,
    headers: idempotencyKey,
    body: { schema: createThreadRequest, example: { title: 'Three days in Lisbon' } },
    answers: [
      {
        status: 201,
        description: 'The thread is there.',
        schema: createdThread,
        example: { chat_id: chat, thread_id: thread, event_number: 1 },
      },
    ],
    conflicts: mismatch,
  },
  {
    id: 'sendMessage',
    method: 'post',
    path: '/api/commands/send-message',
    tag: 'Commands',
    summary: 'Say something',
    description: `Adds your message to a thread. The reply is written by a worker, in turns by person and only so many of yours at the same time: read the head until it is \`idle\`, or follow the events. ${alias('/api/commands/send-message')}`,
    headers: idempotencyKey,
    body: {
      schema: sendMessageRequest,
      example: { thread_id: thread, content: 'I am devansh', expected_version: 1 },
    },
    answers: [
      {
        status: 202,
        description: 'The message is stored, and its reply is on its way.',
        schema: sentMessage,
        example: { thread_id: thread, message_id: question, event_number: 2 },
      },
    ],
    conflicts: {
      expected_version: 'The thread is at event 4, not 1. Look at what came in between, and decide again.',
      reply_in_progress:
        'A reply is being written on this branch. Wait for it, stop it, or ask on another branch.',
      ...mismatch,
    },
  },
  {
    id: 'forkThread',
    method: 'post',
    path: '/api/commands/fork-thread',
    tag: 'Commands',
    summary: 'Go another way',
    description: `Opens a thread that inherits every event of another one up to \`event_number\`, and the context in force there. What happens on either afterwards is unknown to the other. A fork that ends on a message of yours waits until you say more. ${alias('/api/commands/fork-thread')}`,
    headers: idempotencyKey,
    body: { schema: forkThreadRequest, example: { source_thread_id: thread, event_number: 4 } },
    answers: [
      {
        status: 201,
        description: 'The fork is there. Its own events go on from the last one it inherits.',
        schema: forkedThread,
        example: { thread_id: fork, parent_thread_id: thread, from_event_number: 4, event_number: 6 },
      },
    ],
    conflicts: mismatch,
  },
  {
    id: 'listThreads',
    method: 'get',
    path: '/api/threads',
    tag: 'Threads',
    summary: 'Your threads',
    description: `The newest first. The order never changes, so pages neither repeat nor skip. ${alias('/api/threads')}`,
    query: threadsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of your threads.',
        schema: threadList,
        example: { threads: [forkedFrom], next: null },
      },
    ],
  },
  {
    id: 'readMessages',
    method: 'get',
    path: '/api/threads/{id}/messages',
    tag: 'Threads',
    names: 'The thread',
    summary: 'What was said',
    description: `Root first, what the thread inherits before its own: exactly what a model is sent. ${alias('/api/threads/{id}/messages')}`,
    query: historyQuery,
    answers: [
      {
        status: 200,
        description: 'The messages, in order.',
        schema: messageList,
        example: {
          thread_id: thread,
          messages: [
            {
              event_number: 2,
              message_id: question,
              role: 'user',
              content: 'I am devansh',
              checkpoint_id: null,
              reply_to: null,
              created_at: asked,
            },
            {
              event_number: 3,
              message_id: reply,
              role: 'assistant',
              content: 'Nice to meet you, devansh.',
              checkpoint_id: `ckpt-${reply}`,
              reply_to: question,
              created_at: replied,
            },
          ],
          next: null,
        },
      },
    ],
  },
  {
    id: 'readEvents',
    method: 'get',
    path: '/api/threads/{id}/events',
    tag: 'Threads',
    names: 'The thread',
    summary: 'What happened',
    description: `Every event, inherited and own, numbered as one sequence. Asked for with \`Accept: text/event-stream\` it stays open and goes on as things happen: \`id\` is the event’s number, \`event\` its type, \`data\` the event as it stands in the list. A stream ends after a few minutes; an \`EventSource\` then resumes by itself where it was. ${alias('/api/threads/{id}/events')}`,
    query: historyQuery,
    headers: { 'Last-Event-ID': { schema: lastEventId } },
    answers: [
      {
        status: 200,
        description: 'The events, in order.',
        schema: eventList,
        example: { events, next: null },
      },
      {
        status: 200,
        description: 'The same, one by one, as they happen.',
        type: 'text/event-stream',
        example: `id: 2\nevent: UserMessageAdded\ndata: ${JSON.stringify(events[1])}\n\n`,
      },
    ],
  },
  {
    id: 'listBranches',
    method: 'get',
    path: '/api/threads/{id}/branches',
    tag: 'Threads',
    names: 'The thread',
    summary: 'What was forked from it',
    description: `The threads that were forked from this very one, newest first. ${alias('/api/threads/{id}/branches')}`,
    query: threadsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of forks.',
        schema: branchList,
        example: { thread_id: thread, branches: [forkedFrom], next: null },
      },
    ],
  },
  {
    id: 'readHead',
    method: 'get',
    path: '/api/threads/{id}/head',
    tag: 'Threads',
    names: 'The thread',
    summary: 'Where it stands',
    description: `Its last event number is what a command’s \`expected_version\` is compared with. ${alias('/api/threads/{id}/head')}`,
    answers: [
      {
        status: 200,
        description: 'The head.',
        schema: threadHead,
        example: {
          thread_id: thread,
          head_message_id: reply,
          event_number: 4,
          checkpoint_id: `ckpt-${reply}`,
          status: 'idle',
        },
      },
    ],
  },
]
