import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { named } from '@/lib/protocol/fields'
import { sentences } from '../../http/problem'
import { commandHeaders, eventNumber, example, onceOf, threadId } from '../commands'
import { defineOperation } from '../operation'

// Moves of threads and checkpoints. `undo` takes each of them back.

const name = z
  .string()
  .refine((value) => !value.includes('\0'), 'must not contain the NUL character')
  .meta({ minLength: 1, maxLength: 200 })

const answer = named(
  'MovedThread',
  z.object({
    chat_id: z.string(),
    thread_id: threadId.meta({ description: 'The thread that was moved, or the one that was opened' }),
    event_number: eventNumber.optional(),
  }),
)

const moved = { chat_id: example.chat, thread_id: example.thread, event_number: 6 }
const { idempotency_mismatch } = sentences
const name_taken = 'A branch named "porto" exists already'
const branch_active = 'Branch "porto" is the one the chat opens on: switch first'

const onThread = { thread_id: threadId }
const given = { thread_id: example.thread }
const namedMessage = z
  .string()
  .min(1)
  .max(200)
  .meta({ examples: [example.question] })

export const switchThread = defineOperation({
  id: 'switchThread',
  method: 'post',
  path: '/api/commands/switch-thread',
  tag: 'Commands',
  summary: 'Switch thread',
  description: 'Makes a thread the one that its chat opens on.',
  names: 'Thread',
  input: { headers: commandHeaders, body: named('SwitchThreadRequest', z.strictObject(onThread)) },
  example: given,
  output: { description: 'The chat opens there.', schema: answer, example: moved },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('switch-thread', call),
      threadId: call.body.thread_id,
      move: 'switch',
    }),
})

export const rewindThread = defineOperation({
  id: 'rewindThread',
  method: 'post',
  path: '/api/commands/rewind-thread',
  tag: 'Commands',
  summary: 'Rewind thread',
  description:
    'Opens a thread at a message, in the context there; the thread that is left stays as it is. Without a name, an empty thread that stands there already is used again.',
  names: 'Thread',
  input: {
    headers: commandHeaders,
    body: named(
      'RewindThreadRequest',
      z.strictObject({
        ...onThread,
        message_id: namedMessage,
        name: name.optional().meta({ description: 'Of the new thread; no other of the chat may have it' }),
        activate: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the chat opens there from now on; true unless given' }),
      }),
    ),
  },
  example: { ...given, message_id: example.question, name: 'porto' },
  output: {
    status: 201,
    description: 'The thread stands at the message.',
    schema: answer,
    example: { ...moved, thread_id: example.fork },
  },
  refusals: { name_taken, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('rewind-thread', call),
      threadId: call.body.thread_id,
      move: 'rewind',
      messageId: call.body.message_id,
      name: call.body.name,
      activate: call.body.activate,
    }),
})

export const renameThread = defineOperation({
  id: 'renameThread',
  method: 'post',
  path: '/api/commands/rename-thread',
  tag: 'Commands',
  summary: 'Rename thread',
  names: 'Thread',
  input: {
    headers: commandHeaders,
    body: named('RenameThreadRequest', z.strictObject({ ...onThread, name })),
  },
  example: { ...given, name: 'porto' },
  output: { description: 'The thread has the name.', schema: answer, example: moved },
  refusals: { name_taken, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('rename-thread', call),
      threadId: call.body.thread_id,
      move: 'rename',
      name: call.body.name,
    }),
})

export const archiveThread = defineOperation({
  id: 'archiveThread',
  method: 'post',
  path: '/api/commands/archive-thread',
  tag: 'Commands',
  summary: 'Archive thread',
  description: 'Hides a thread. Nothing on it is lost.',
  names: 'Thread',
  input: {
    headers: commandHeaders,
    body: named(
      'ArchiveThreadRequest',
      z.strictObject({
        ...onThread,
        switch_to: threadId
          .optional()
          .meta({ description: 'The thread of the same chat that it opens on instead' }),
      }),
    ),
  },
  example: given,
  output: { description: 'The thread is hidden.', schema: answer, example: moved },
  refusals: { branch_active, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('archive-thread', call),
      threadId: call.body.thread_id,
      move: 'archive',
      switchTo: call.body.switch_to,
    }),
})

export const unarchiveThread = defineOperation({
  id: 'unarchiveThread',
  method: 'post',
  path: '/api/commands/unarchive-thread',
  tag: 'Commands',
  summary: 'Unarchive thread',
  names: 'Thread',
  input: { headers: commandHeaders, body: named('UnarchiveThreadRequest', z.strictObject(onThread)) },
  example: given,
  output: { description: 'The thread is shown again.', schema: answer, example: moved },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('unarchive-thread', call),
      threadId: call.body.thread_id,
      move: 'unarchive',
    }),
})

export const saveCheckpoint = defineOperation({
  id: 'saveCheckpoint',
  method: 'post',
  path: '/api/commands/save-checkpoint',
  tag: 'Commands',
  summary: 'Save checkpoint',
  description: 'Gives a message of a chat a name. A name that the chat has already moves to the message.',
  names: 'Thread',
  input: {
    headers: commandHeaders,
    body: named(
      'SaveCheckpointRequest',
      z.strictObject({
        thread_id: threadId.meta({ description: 'Any thread of the chat' }),
        message_id: namedMessage,
        name,
      }),
    ),
  },
  example: { ...given, message_id: example.question, name: 'booked' },
  output: { description: 'The checkpoint is there.', schema: answer, example: moved },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('save-checkpoint', call),
      threadId: call.body.thread_id,
      move: 'save-checkpoint',
      messageId: call.body.message_id,
      name: call.body.name,
    }),
})

const ofCheckpoint = (id: string) =>
  named(
    id,
    z.strictObject({
      thread_id: threadId.meta({ description: 'A thread of the chat; a restored one is named after it' }),
      name: name.meta({ description: 'Of the checkpoint' }),
    }),
  )

export const removeCheckpoint = defineOperation({
  id: 'removeCheckpoint',
  method: 'post',
  path: '/api/commands/remove-checkpoint',
  tag: 'Commands',
  summary: 'Remove checkpoint',
  description: 'Removes a name; the message it points at stays.',
  names: 'Thread',
  input: { headers: commandHeaders, body: ofCheckpoint('RemoveCheckpointRequest') },
  example: { ...given, name: 'booked' },
  output: { description: 'The name is gone.', schema: answer, example: moved },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('remove-checkpoint', call),
      threadId: call.body.thread_id,
      move: 'remove-checkpoint',
      name: call.body.name,
    }),
})

export const restoreCheckpoint = defineOperation({
  id: 'restoreCheckpoint',
  method: 'post',
  path: '/api/commands/restore-checkpoint',
  tag: 'Commands',
  summary: 'Restore checkpoint',
  description: 'Rewinds to a checkpoint’s message: the chat opens on a thread that stands there.',
  names: 'Thread',
  input: { headers: commandHeaders, body: ofCheckpoint('RestoreCheckpointRequest') },
  example: { ...given, name: 'booked' },
  output: {
    status: 201,
    description: 'The thread stands at the checkpoint.',
    schema: answer,
    example: { ...moved, thread_id: example.fork },
  },
  refusals: { idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) =>
    useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('restore-checkpoint', call),
      threadId: call.body.thread_id,
      move: 'restore-checkpoint',
      name: call.body.name,
    }),
})

export const leaveOut = defineOperation({
  id: 'leaveOut',
  method: 'post',
  path: '/api/commands/leave-out',
  tag: 'Commands',
  summary: 'Leave messages out',
  description:
    'The prompt of the next replies on a thread is without some of its messages: a tool call goes with its answer. The chain, search and export keep them. False puts them back. The context holds the ids, so forks inherit them, and a rewind brings back what was in force there.',
  names: 'Thread',
  input: {
    headers: commandHeaders,
    body: named(
      'LeaveOutRequest',
      z.strictObject({
        thread_id: threadId,
        message_ids: z.array(namedMessage).min(1).max(1000).meta({ description: 'Messages of the thread' }),
        left_out: z.boolean().meta({ description: 'False puts the messages back' }),
      }),
    ),
  },
  example: { thread_id: example.thread, message_ids: [example.question], left_out: true },
  output: {
    description: 'The context is in force.',
    schema: named(
      'LeftOut',
      z.object({
        chat_id: z.string(),
        thread_id: threadId,
        event_number: eventNumber.optional(),
        context_id: z.string().meta({ description: 'The context in force from now on' }),
      }),
    ),
    example: { chat_id: example.chat, thread_id: example.thread, event_number: 7, context_id: '9f3c…' },
  },
  refusals: { idempotency_mismatch },
  use: async ({ ports, ownerId, ...call }) => {
    const { thread_id, message_ids, left_out } = call.body
    const { context_id = '', ...moved } = await useCases.moveThreadOnce(ports, {
      ownerId,
      once: onceOf('leave-out', call),
      threadId: thread_id,
      move: 'leave-out',
      messageIds: message_ids,
      leftOut: left_out,
    })
    return { ...moved, context_id }
  },
})
