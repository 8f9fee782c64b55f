import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { moveKinds } from '@/lib/events'
import { named } from '@/lib/protocol/fields'
import { sentences } from '../../http/problem'
import { chatId } from '../chat-fields'
import { commandHeaders, eventNumber, example, onceOf, threadId } from '../commands'
import { defineOperation } from '../operation'

const undoRequest = named(
  'UndoRequest',
  z.strictObject({
    chat_id: chatId,
    to: z.int().min(0).optional().meta({
      description:
        'A position of the chat’s log: every move that was made after it is undone, or none. Without it, the last move',
    }),
  }),
)
const redoRequest = named('RedoRequest', z.strictObject({ chat_id: chatId }))

const answer = named(
  'UndoneMove',
  z.object({
    chat_id: z.string(),
    thread_id: threadId.meta({ description: 'The thread that the chat opens on' }),
    move: z.enum(moveKinds).meta({ description: 'What was undone, or made again' }),
    moves: z.int().meta({ description: 'How many were undone; `move` is the earliest of them' }),
    says: z.string().meta({ description: 'The move in words; of several, how many they are' }),
    event_number: eventNumber.optional(),
  }),
)

const { idempotency_mismatch, nothing_to_undo, nothing_to_redo } = sentences
const built_upon = 'Nothing was undone: “porto” has moved on since.'

export const undo = defineOperation({
  id: 'undo',
  method: 'post',
  path: '/api/commands/undo',
  tag: 'Commands',
  summary: 'Undo',
  description:
    'Takes the last move of a chat back: of a branch, a checkpoint, a context, a merge or a pick, made in a tab or by a command. Messages stay: a branch that the move opened is archived. A move that something was built upon is refused.',
  names: 'Chat',
  input: { headers: commandHeaders, body: undoRequest },
  example: { chat_id: example.chat },
  output: {
    status: 200,
    description: 'The move is undone.',
    schema: answer,
    example: {
      chat_id: example.chat,
      thread_id: example.thread,
      move: 'switch' as const,
      moves: 1,
      says: 'switched to porto',
      event_number: 4,
    },
  },
  refusals: { nothing_to_undo, built_upon, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) => moveBack(ports, 'undo', ownerId, call),
})

export const redo = defineOperation({
  id: 'redo',
  method: 'post',
  path: '/api/commands/redo',
  tag: 'Commands',
  summary: 'Redo',
  description: 'Makes the move again that was undone last. A new move leaves nothing to redo.',
  names: 'Chat',
  input: { headers: commandHeaders, body: redoRequest },
  example: { chat_id: example.chat },
  output: {
    status: 200,
    description: 'The move is made again.',
    schema: answer,
    example: {
      chat_id: example.chat,
      thread_id: example.fork,
      move: 'switch' as const,
      moves: 1,
      says: 'switched to porto',
      event_number: 6,
    },
  },
  refusals: { nothing_to_redo, built_upon, idempotency_mismatch },
  use: ({ ports, ownerId, ...call }) => moveBack(ports, 'redo', ownerId, call),
})

type Call = Parameters<typeof onceOf>[1] & { body: z.output<typeof undoRequest> }

const moveBack = (
  ports: useCases.Ports,
  which: 'undo' | 'redo',
  ownerId: string,
  call: Call,
): Promise<useCases.UndoAnswer> => {
  const { chat_id: called, to } = call.body
  const once = onceOf(which, call)
  return useCases.inCalledChat(ports, { ownerId, chatId: called }, ({ chatId }) =>
    useCases.moveBackOnce(ports, which, { ownerId, once, chatId, called, to }),
  )
}
