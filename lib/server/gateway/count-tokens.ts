import 'server-only'
import type { Reach } from '@/lib/ai'
import { callTokens } from '@/lib/conversations'
import { messages } from '@/lib/gateway/protocols/messages'
import { getServices, logError, onBehalfOf } from '@/lib/runtime'
import type { Handler } from '../api/operation'
import { credentialOf } from '../http/admit'
import { enterWithBody } from '../http/heavy-work'
import { requestTurnstile } from '../http/pace'
import { type ReadText, readText } from '../http/read-body'
import { type Answer, forward, wholeBody } from './answer'
import { admitKeyed, keyed } from './keyed'
import { modelOf } from './model-of'
import { ownCredential } from './passed-headers'
import { readAll } from './read-ahead'
import { refuse } from './refuse'
import { limits } from './take-call'

/**
 * `POST /v1/messages/count_tokens`: the provider's count if it has one, else an estimate from the texts.
 * Nothing is stored: a count is not a call.
 */
export const countTokens: Handler = async (request) => {
  const known = keyed(request)
  try {
    const services = await getServices()
    return await requestTurnstile.pass(credentialOf(known), async () => {
      const viewer = await admitKeyed(known, services)
      const leave = await enterWithBody(request, viewer.id)
      try {
        const body = await readText(request, limits)
        const call = messages.readCall(body.value)
        return await onBehalfOf(viewer.id, async () => {
          const asking = { protocol: messages.name, own: ownCredential(request) }
          const { reach } = modelOf(await services.models.of(viewer.id), call.model, asking)
          const counted = reach?.protocols.includes('messages') && (await countedBy(reach, request, body))
          return counted || Response.json({ input_tokens: callTokens(call) }, { headers: fresh })
        })
      } finally {
        leave()
      }
    })
  } catch (error) {
    return refuse(error, known, messages)
  }
}

const fresh = { 'cache-control': 'no-store' }

/** The provider's own answer; undefined when it cannot be reached, or does not count. */
async function countedBy(reach: Reach, request: Request, body: ReadText): Promise<Response | undefined> {
  let answer: Answer
  try {
    const { signal } = request
    answer = await forward(request, {
      body: wholeBody(body, reach),
      protocol: messages,
      reach,
      signal,
      below: '/count_tokens',
    })
  } catch (error) {
    logError('counting tokens', error)
    return undefined
  }
  const { status, headers, read } = answer
  if (status === 404 || status === 405) return undefined
  return new Response(Buffer.concat(await readAll(read)), { status, headers })
}
