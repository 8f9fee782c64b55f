import 'server-only'
import { explainError, KeyUnreadableError, ProviderNotConfiguredError, UnknownModelError } from '@/lib/ai'
import { UnauthenticatedError } from '@/lib/auth'
import { CallRefusedError, type Protocol, type Refusal } from '@/lib/gateway/protocols/protocol'
import { logError } from '@/lib/runtime'
import { toProblem } from '../http/problem'
import { noteRefusal } from '../http/refused-access'
import { ProviderRefusedError, ProviderUnreachableError } from './answer'
import { ModelNotFoundError } from './model-of'

const NO_KEY =
  'Send an API key of Ramify, as a bearer token or as x-api-key. You make one in the settings, under Keys.'

/** Any error as the refusal of an agent's request, and when the next attempt makes sense. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof CallRefusedError)
    return { status: 400, code: 'invalid_request', message: error.message, param: error.param }
  if (error instanceof ModelNotFoundError || error instanceof UnknownModelError)
    return { status: 404, code: 'model_not_found', message: error.message, param: 'model' }
  if (error instanceof ProviderNotConfiguredError || error instanceof KeyUnreadableError)
    return { status: 404, code: 'model_not_found', message: error.message, param: 'model' }
  if (error instanceof ProviderRefusedError) return error.refusal
  if (error instanceof ProviderUnreachableError) {
    const { message, advice } = explainError(error.cause)
    return { status: 502, code: 'provider_unreachable', message: `${message} ${advice}` }
  }
  if (error instanceof UnauthenticatedError && error.lacks === 'session')
    return { status: 401, code: 'invalid_api_key', message: NO_KEY }
  const { status, code, detail, retry_after: retryAfter } = toProblem(error)
  if (status === 500) logError('gateway', error)
  const known = status === 401 ? 'invalid_api_key' : code
  return { status, code: known, message: detail, ...(retryAfter !== undefined && { retryAfter }) }
}

/** Refuses a request in the words of its protocol. Refused access is noted. */
export function refuse(error: unknown, request: Request, protocol: Pick<Protocol, 'writeRefusal'>): Response {
  noteRefusal(error, request)
  const refusal = refusalOf(error)
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (refusal.status === 429 || refusal.status === 503)
    headers.set('retry-after', String(refusal.retryAfter ?? 60))
  if (refusal.status === 401) headers.set('www-authenticate', 'Bearer')
  return Response.json(protocol.writeRefusal(refusal), { status: refusal.status, headers })
}
