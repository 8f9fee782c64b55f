import 'server-only'
import { z } from 'zod'
import { parseUserMessage, runTurn } from '@/lib/conversations'
import { named } from '@/lib/protocol/fields'
import { telemetry } from '@/lib/runtime'
import { keepAwake } from '../http/background'
import { sentences } from '../http/problem'
import { replyStreamResponse } from '../http/streams'
import { branchName, chatId, exampleMessage, replyStream } from './chat-fields'
import { defineOperation, type Handler, type Operation } from './operation'

const turnRequest = named(
  'TurnRequest',
  z.object({
    id: chatId.meta({
      description:
        'Your id for the chat. An id that none of your chats has creates a chat; the ids of other people do not matter',
    }),
    branch: branchName.nullish().meta({
      description:
        'Name or id; the active branch unless given. For a new chat: an id of 36 characters for its first branch, which none of your other chats may have',
    }),
    expectedHead: chatId
      .nullable()
      .optional()
      .meta({ description: 'The head you saw. When the branch has another one by now, nothing is written' }),
    message: z.unknown().optional().meta({
      description: 'A UI message of the AI SDK: {id, role: "user", parts} of text and stored files',
    }),
    messages: z
      .array(z.unknown())
      .optional()
      .meta({ description: 'As a stock client sends them; only the last one is read' }),
    trigger: z
      .enum(['submit-message', 'regenerate-message', 'answer-tools'])
      .default('submit-message')
      .meta({ description: '`answer-tools`: a reply goes on after you have allowed its tools, or not' }),
    messageId: chatId.nullish().meta({
      description: 'The message to edit, the one to answer again, or the reply whose tools wait',
    }),
    answers: z
      .array(
        z.object({
          approvalId: z.string().min(1).max(200),
          approved: z.boolean(),
          reason: z.string().max(2000).optional(),
        }),
      )
      .max(200)
      .optional()
      .meta({
        description:
          'With `answer-tools`: one for each part of the reply in the state `approval-requested` (`approval.id`). The same answers again are the same turn',
      }),
    continue: z.boolean().optional().meta({
      description:
        'With `regenerate-message`: a reply that was stopped, broke off or met its limit of length goes on where it ended. The new reply is a version beside it and begins with what it says; `metadata.seams` names the place. Other replies are refused (`nothing_to_continue`)',
    }),
    model: branchName.nullish().meta({ description: '`provider:model`; the branch’s own unless given' }),
  }),
)

const turn = defineOperation({
  id: 'takeTurn',
  method: 'post',
  path: '/api/chat',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Send message and stream reply',
  description:
    'Works with a stock `useChat`. Your message is stored before the model is called, and the reply is stored whether or not you read it to the end. Only a limited number of your replies is written at once. A reply that waits has a `data-run` part with the status `queued` and the reason; a second such part has `running` when it begins.',
  input: { body: turnRequest },
  example: { id: 'trip', message: exampleMessage },
  // a stock client sends the whole history, of which only the last message is read
  limits: { bytes: 16_000_000, values: 10_000, lastOf: 'messages' },
  streams: 'always',
  output: replyStream,
  refusals: {
    head_moved: sentences.head_moved,
    reply_in_progress: sentences.reply_in_progress,
    idempotency_mismatch: 'A message with this id was sent before, with another text.',
    name_taken: 'A branch with the id "{id}" exists already',
  },
  async use({ ports, ownerId, body, ...call }) {
    const { id, trigger, branch, expectedHead, messageId, model, answers } = body
    const submitted =
      trigger === 'submit-message' ? parseUserMessage(body.message ?? body.messages?.at(-1)) : undefined
    const { stream, ended } = await runTurn(ports, {
      ownerId,
      chatId: id,
      trigger,
      expectedHead,
      message: submitted,
      answers,
      continue: body.continue,
      branch: branch ?? undefined,
      messageId: messageId ?? undefined,
      model: model ?? undefined,
    })
    keepAwake(ports, ended)
    turnEndsWith(ended)
    return replyStreamResponse(call, stream)
  },
})

/** One turn of a chat, streamed as a UI message stream (CONTRACT.md). */
export const takeTurn: Operation = { ...turn, handle: observeTurn(turn.handle) }

/**
 * A turn's handler within a span that begins with the request; `turnEndsWith` says when the turn ends. A refused turn ends
 * at once. Without telemetry it is the handler itself.
 */
export function observeTurn(handle: Handler): Handler {
  return async (request, context) => {
    const sending = telemetry()
    if (!sending) return handle(request, context)
    const span = sending.begin('turn', {}, { traceparent: request.headers.get('traceparent') })
    const response = await span.within(() => handle(request, context))
    span.set({ 'http.status': response.status })
    if (!response.ok) span.end()
    return response
  }
}

/** Ends the span of the turn under way when its reply is stored. */
export function turnEndsWith(ended: Promise<unknown>): void {
  const span = telemetry()?.current()
  if (!span) return
  ended.then(
    () => span.end(),
    (error: unknown) => span.end({ error }),
  )
}
