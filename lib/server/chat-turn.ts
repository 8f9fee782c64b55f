import 'server-only'
import { createUIMessageStreamResponse } from 'ai'
import { after } from 'next/server'
import { z } from 'zod'
import { parseUserMessage, runTurn } from '@/lib/conversations'
import { defineRoute } from './define-route'
import { readBody } from './read-body'

/** A stock client sends the whole history along, of which only the last message is read. */
const MAX_BODY = 16_000_000

const id = z.string().min(1).max(128)

const turnBody = z.object({
  id,
  branch: z.string().min(1).max(200).nullish(),
  expectedHead: id.nullable().optional(),
  message: z.unknown().optional(),
  messages: z.array(z.unknown()).optional(),
  trigger: z.enum(['submit-message', 'regenerate-message']).default('submit-message'),
  messageId: id.nullish(),
  model: z.string().min(1).max(200).nullish(),
})

/** `POST /api/chat`: one turn, streamed as a UI message stream (CONTRACT.md). */
export const chatTurn = defineRoute(async ({ request, viewer, services }) => {
  const body = turnBody.parse(await readBody(request, MAX_BODY))
  const sent = body.message ?? body.messages?.at(-1)
  const submits = body.trigger === 'submit-message'
  const { stream, ended } = await runTurn(services.ports, {
    ownerId: viewer.id,
    chatId: body.id,
    trigger: body.trigger,
    ...(body.branch ? { branch: body.branch } : {}),
    ...(body.expectedHead === undefined ? {} : { expectedHead: body.expectedHead }),
    ...(body.messageId ? { messageId: body.messageId } : {}),
    ...(body.model ? { model: body.model } : {}),
    ...(submits ? { message: parseUserMessage(sent) } : {}),
  })
  // the reply is stored whether or not this browser stays
  after(() => ended)
  return createUIMessageStreamResponse({ stream })
})
