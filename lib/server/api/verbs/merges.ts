import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { type MergeConflict, mergeModes } from '@/lib/events'
import { named } from '@/lib/protocol/fields'
import { sentences } from '../../http/problem'
import { commandHeaders, eventNumber, example, messageId, onceOf, threadId } from '../commands'
import { defineOperation } from '../operation'

const expectedVersion = z
  .int()
  .optional()
  .meta({
    description:
      'The last event number of the target that you know. If there is a later one, nothing is written',
    examples: [4],
  })

export const givenMessage = z.string().min(1).max(200)

const { idempotency_mismatch, already_there, nothing_to_merge } = sentences
const expected_version = sentences.expected_version(6, 4)
const reply_in_progress = sentences.reply_on('main')

const cherryPickRequest = named(
  'CherryPickRequest',
  z.strictObject({
    target_thread_id: threadId,
    message_ids: z.array(givenMessage).meta({
      description: 'From any threads of the same chat',
      examples: [[example.question, example.reply]],
    }),
    expected_version: expectedVersion,
  }),
)

export const cherryPick = defineOperation({
  id: 'cherryPick',
  method: 'post',
  path: '/api/commands/cherry-pick',
  tag: 'Commands',
  summary: 'Cherry-pick messages',
  description:
    'Copies messages of a chat to the end of one of its threads, in the order given. The originals stay where they are; each copy says which message it is a copy of.',
  names: 'Thread',
  input: { headers: commandHeaders, body: cherryPickRequest },
  example: { target_thread_id: example.thread, message_ids: [example.question, example.reply] },
  output: {
    status: 201,
    description: 'The copies exist.',
    schema: named(
      'PickedMessages',
      z.object({
        chat_id: z.string(),
        thread_id: threadId,
        event_number: eventNumber.optional(),
        message_ids: z.array(messageId).meta({ description: 'Of the copies' }),
      }),
    ),
    example: {
      chat_id: example.chat,
      thread_id: example.thread,
      event_number: 8,
      message_ids: ['019d3c22-2f0a-7a44-b1a7-5a2f0c9f5e61', '019d3c22-2f0a-7b13-8a5e-2f4d9b6c7e33'],
    },
  },
  refusals: { already_there, expected_version, reply_in_progress, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.cherryPick(ports, {
      ownerId,
      once: onceOf('cherry-pick', call),
      threadId: call.body.target_thread_id,
      messageIds: call.body.message_ids,
      expectedVersion: call.body.expected_version,
    }),
})

const mode = z.enum(mergeModes).meta({
  description:
    '`brief`: one message that says what the source has and the target lacks. `turns`: copies of the source’s own messages. `context`: its fragments and memories alone',
})

const wording = z.string().max(20_000)
const quote = z.object({ message_id: givenMessage, text: wording })
const conflict = z.object({
  id: z.string().max(300),
  about: wording,
  source: wording.nullable(),
  target: wording.nullable(),
  source_message_id: givenMessage.nullable(),
  target_message_id: givenMessage.nullable(),
})

const by = z.enum(['model', 'digest']).optional().meta({
  description: '`digest`: no model is asked. Without it the model writes, where there is one that can',
})

const previewRequest = named(
  'MergePreviewRequest',
  z.strictObject({ source_thread_id: threadId, target_thread_id: threadId, mode: mode.optional(), by }),
)

const failure = z.string().nullable().meta({ description: 'Why the model that was asked wrote nothing' })

const preview = named(
  'MergePreview',
  z.object({
    base_message_id: messageId.nullable().meta({ description: 'Where the two threads part' }),
    mode,
    brief: z.string(),
    conflicts: z.array(conflict),
    quotes: z.array(quote),
    message_count: z.int().meta({ description: 'Messages of the source that the target lacks' }),
    written_by: z
      .string()
      .nullable()
      .meta({ description: 'The model that wrote the brief; null for a digest of the messages' }),
    failure,
  }),
)

const about = { id: 'memory:diet', about: 'Memory diet', source: 'Vegan', target: 'Vegetarian' }
const given = { source_thread_id: example.fork, target_thread_id: example.thread }

export const previewMerge = defineOperation({
  id: 'previewMerge',
  method: 'post',
  path: '/api/commands/merge-preview',
  tag: 'Commands',
  summary: 'Preview merge',
  description:
    'Says what a merge would bring, and where the two threads contradict each other. Nothing is stored. The model of the target writes the brief; without one, or when it fails, the brief is a digest of the messages.',
  names: 'Thread',
  input: { body: previewRequest },
  example: given,
  output: {
    description: 'What the merge would say.',
    schema: preview,
    example: {
      base_message_id: example.reply,
      mode: 'brief' as const,
      message_count: 2,
      written_by: null,
      failure: null,
      brief: '**Asked and answered**\n\n- “And Porto instead?”: Three hours by train.',
      conflicts: [{ ...about, source_message_id: null, target_message_id: null }],
      quotes: [{ message_id: example.reply, text: 'Three hours by train.' }],
    },
  },
  refusals: { nothing_to_merge, reply_in_progress },
  use: async ({ ports, ownerId, request, body }) => {
    const found = await useCases.previewThreads(ports, {
      ownerId,
      sourceId: body.source_thread_id,
      targetId: body.target_thread_id,
      mode: body.mode ?? 'brief',
      by: body.by,
      signal: request.signal,
    })
    return {
      base_message_id: found.baseId,
      mode: found.mode,
      brief: found.brief,
      conflicts: found.conflicts.map(({ sourceMessageId, targetMessageId, ...rest }) => ({
        ...rest,
        source_message_id: sourceMessageId ?? null,
        target_message_id: targetMessageId ?? null,
      })),
      quotes: found.quotes.map(({ messageId: message_id, text }) => ({ message_id, text })),
      message_count: found.count,
      written_by: found.writtenBy,
      failure: found.failure,
    }
  },
})

/** A merge as a person has reviewed it. */
export const mergeReview = {
  brief: z
    .string()
    .optional()
    .meta({ description: 'The reviewed brief, in Markdown; without it, it is written now' }),
  conflicts: z
    .array(conflict)
    .max(1000)
    .optional()
    .meta({ description: 'As the preview had them. Those of contexts are worked out again' }),
  quotes: z.array(quote).max(200).optional(),
  resolutions: z
    .record(z.string(), z.union([z.enum(['source', 'target']), z.strictObject({ text: wording })]))
    .optional()
    .meta({ description: 'Which wording counts, or another one, by the ids of the conflicts' }),
}

const mergeRequest = named(
  'MergeThreadsRequest',
  z.strictObject({
    source_thread_id: threadId,
    target_thread_id: threadId,
    mode,
    ...mergeReview,
    expected_version: expectedVersion,
  }),
)

const mergedThread = named(
  'MergedThread',
  z.object({
    chat_id: z.string(),
    thread_id: threadId,
    event_number: eventNumber.optional(),
    message_id: messageId,
  }),
)

const merged = {
  chat_id: example.chat,
  thread_id: example.thread,
  event_number: 7,
  message_id: '019d3c22-2f0a-7a44-b1a7-5a2f0c9f5e61',
}

export const mergeThreads = defineOperation({
  id: 'mergeThreads',
  method: 'post',
  path: '/api/commands/merge-threads',
  tag: 'Commands',
  summary: 'Merge threads',
  description:
    'Merges a thread into another one of the same chat. The source stays as it is. What was merged before is not merged again. Undo takes a merge back.',
  names: 'Thread',
  input: { headers: commandHeaders, body: mergeRequest },
  example: {
    ...given,
    mode: 'brief',
    brief: 'Porto is three hours away by train.',
    conflicts: [{ ...about, source_message_id: null, target_message_id: null }],
    resolutions: { [about.id]: 'source' },
  },
  output: {
    status: 201,
    description: 'The threads are merged; the message has both as its parents.',
    schema: mergedThread,
    example: merged,
  },
  refusals: { nothing_to_merge, expected_version, reply_in_progress, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) => {
    const { source_thread_id, target_thread_id, expected_version: version, mode } = call.body
    return useCases.mergeThreads(ports, {
      ...reviewedMerge(call.body),
      mode,
      ownerId,
      once: onceOf('merge-threads', call),
      expectedVersion: version,
      sourceId: source_thread_id,
      targetId: target_thread_id,
    })
  },
})

/** The review of a merge, as the use cases take it. */
export const reviewedMerge = ({ brief, quotes, conflicts, resolutions }: Reviewed) => ({
  brief,
  resolutions,
  quotes: quotes?.map(({ message_id, text }) => ({ messageId: message_id, text })),
  conflicts: conflicts?.map(toConflict),
})

type Reviewed = { [Part in keyof typeof mergeReview]?: z.output<(typeof mergeReview)[Part]> }

const toConflict = ({
  source_message_id,
  target_message_id,
  ...rest
}: z.output<typeof conflict>): MergeConflict => ({
  ...rest,
  sourceMessageId: source_message_id ?? undefined,
  targetMessageId: target_message_id ?? undefined,
})

const compactRequest = named(
  'CompactThreadRequest',
  z.strictObject({
    thread_id: threadId,
    message_id: givenMessage
      .optional()
      .meta({ description: 'The last message that the summary stands for; the thread’s last unless given' }),
    summary: z
      .string()
      .optional()
      .meta({ description: 'The reviewed summary; without it, it is written now' }),
  }),
)

export const previewSummary = defineOperation({
  id: 'previewSummary',
  method: 'post',
  path: '/api/commands/compact-preview',
  tag: 'Commands',
  summary: 'Preview summary',
  description:
    'Says what a summary of a thread would say. Nothing is stored. The model of the thread writes it; without one, or when it fails, it is a digest of the messages.',
  names: 'Thread',
  input: {
    body: named(
      'SummaryPreviewRequest',
      z.strictObject({ thread_id: threadId, message_id: givenMessage.optional(), by }),
    ),
  },
  example: { thread_id: example.thread },
  output: {
    description: 'What the summary would say.',
    schema: named(
      'SummaryPreview',
      z.object({
        summary: z.string(),
        message_count: z.int().meta({ description: 'Messages that it stands for' }),
        written_by: z.string().nullable(),
        failure,
      }),
    ),
    example: { summary: 'Three days in Lisbon.', message_count: 4, written_by: null, failure: null },
  },
  refusals: { nothing_to_merge: 'The thread is empty.', reply_in_progress },
  use: async ({ ports, ownerId, request, body }) => {
    const { summary, count, writtenBy, failure } = await useCases.previewThread(ports, {
      ownerId,
      threadId: body.thread_id,
      messageId: body.message_id,
      by: body.by,
      signal: request.signal,
    })
    return { summary, message_count: count, written_by: writtenBy, failure }
  },
})

export const compactThread = defineOperation({
  id: 'compactThread',
  method: 'post',
  path: '/api/commands/compact-thread',
  tag: 'Commands',
  summary: 'Compact thread',
  description:
    'Opens a thread that begins with a summary of another one, in the same context. The original stays; the summary says which message it stands for.',
  names: 'Thread',
  input: { headers: commandHeaders, body: compactRequest },
  example: { thread_id: example.thread, summary: 'Three days in Lisbon, by train, with a day in Sintra.' },
  output: {
    status: 201,
    description: 'The new thread begins with the summary.',
    schema: mergedThread,
    example: { ...merged, thread_id: example.fork },
  },
  refusals: { nothing_to_merge: 'The thread is empty.', reply_in_progress, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.compactThread(ports, {
      ownerId,
      once: onceOf('compact-thread', call),
      threadId: call.body.thread_id,
      messageId: call.body.message_id,
      summary: call.body.summary,
    }),
})
