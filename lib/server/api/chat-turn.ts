import 'server-only'
import { after } from 'next/server'
import { parseUserMessage, runTurn } from '@/lib/conversations'
import { defineMethods, defineRoute } from '../http/define-route'
import { readBody } from '../http/read-body'
import { replyStreamResponse } from '../http/reply-stream'
import { checkStreams } from '../http/streamed-body'
import { observeTurn, turnEndsWith } from './observe-turn'
import { turnRequest } from './schemas/chat-schemas'

/** A stock client sends the whole history along, of which only the last message is read. */
const BODY = { bytes: 16_000_000, values: 10_000, lastOf: 'messages' }

const turn = defineRoute(async ({ request, viewer, services }) => {
  checkStreams({ request, viewer, services })
  const body = turnRequest.parse(await readBody(request, BODY))
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
  turnEndsWith(ended)
  return replyStreamResponse({ request, viewer, services }, stream)
})

/** `POST /api/chat`: one turn, streamed as a UI message stream (CONTRACT.md). */
export const chatTurn = defineMethods({ POST: observeTurn(turn) })
