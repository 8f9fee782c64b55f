import 'server-only'
import type { Reach } from '@/lib/ai'
import { CallRefusedError, type Protocol } from '@/lib/gateway/protocols/protocol'
import { textOf } from '@/lib/gateway/protocols/shared/values'
import { withModel } from '@/lib/gateway/with-model'
import { getServices, onBehalfOf, type Services } from '@/lib/runtime'
import type { Handler } from '../api/operation'
import { credentialOf } from '../http/admit'
import { enterWithBody } from '../http/heavy-work'
import { requestTurnstile } from '../http/pace'
import { readText } from '../http/read-body'
import { checkStreams } from '../http/streams'
import { addressAt, fetchFrom } from './answer'
import { refuseAddress, spokenIn } from './base-url'
import { admitKeyed, keyed } from './keyed'
import { homes, ModelNotFoundError, modelOf } from './model-of'
import { headersFrom, headersTo, ownCredential } from './passed-headers'
import { refuse } from './refuse'
import { limits } from './take-call'

/**
 * Providers have these addresses beside conversations, and store data of them: it is read, polled, cancelled,
 * deleted.
 */
const passed: Readonly<Record<'GET' | 'POST' | 'DELETE', RegExp>> = {
  GET: /^(?:responses\/|chat\/completions\/|messages\/batches|files|uploads|images|audio|videos|batches|vector_stores|containers|conversations|skills|fine_tuning|evals)/,
  POST: /^(?:responses\/[^/]+|chat\/completions\/|messages\/batches|embeddings|moderations|completions|complete$|files|uploads|images|audio|videos|batches|vector_stores|containers|conversations|skills|fine_tuning|evals|realtime\/)/,
  DELETE:
    /^(?:responses\/|chat\/completions\/|messages\/batches|files|images|videos|batches|vector_stores|containers|conversations|skills|fine_tuning|evals)/,
}

/** Addresses that are Anthropic's alone. */
const OF_ANTHROPIC = /^(?:messages\/|skills|complete$)/

/**
 * Passes requests on to addresses of a provider's API that hold no conversation; nothing is stored. An
 * address that no provider has is refused with the base URL to set.
 */
export const passUnstored: Handler = async (request) => {
  const { pathname } = new URL(request.url)
  const path = pathname.replace(/^\/v1\//, '')
  if (!passed[request.method as keyof typeof passed]?.test(path)) return refuseAddress(request)
  const known = keyed(request)
  const protocol = spokenIn(OF_ANTHROPIC.test(path) ? '/messages' : pathname, request.headers)
  try {
    const services = await getServices()
    return await requestTurnstile.pass(credentialOf(known), async () => {
      // the key that pays for calls reads the provider's stored data
      const viewer = await admitKeyed(known, services, 'write')
      checkStreams({ request: known, viewer, services })
      const leave = await enterWithBody(known, viewer.id)
      try {
        return await onBehalfOf(viewer.id, async () =>
          asked(request, { path, protocol, models: await services.models.of(viewer.id) }),
        )
      } finally {
        leave()
      }
    })
  } catch (error) {
    return refuse(error, known, protocol)
  }
}

interface Asked {
  path: string
  protocol: Protocol
  models: Awaited<ReturnType<Services['models']['of']>>
}

async function asked(request: Request, { path, protocol, models }: Asked): Promise<Response> {
  const isJson = request.headers.get('content-type')?.toLowerCase().startsWith('application/json')
  const body = isJson && request.body ? await readText(request, limits) : undefined
  const own = ownCredential(request)
  const model = textOf(body?.value.model)
  const reach =
    model === undefined
      ? reachOfProtocol(models, protocol, own)
      : modelOf(models, model, { protocol: protocol.name, own }).reach
  if (!reach) throw model === undefined ? new CallRefusedError(NO_PROVIDER) : new ModelNotFoundError(model)
  if (reach.isShared) throw new CallRefusedError(SHARED)
  const headers = headersTo(reach, request.headers)
  const coding = request.headers.get('content-encoding')
  // an unread body is passed on as it came
  if (!body && coding !== null) headers.set('content-encoding', coding)
  const length = request.headers.get('content-length')
  if (!body && length !== null) headers.set('content-length', length)
  const address = addressAt(reach, `/${path}${new URL(request.url).search}`)
  const sent: RequestInit & { duplex: 'half' } = {
    method: request.method,
    headers: Object.fromEntries(headers),
    signal: request.signal,
    duplex: 'half',
    ...(request.method !== 'GET' && { body: body ? withModel(body.text, reach.model) : request.body }),
  }
  const response = await fetchFrom(reach, address, sent)
  const told = headersFrom(reach, response.headers)
  told.set('cache-control', 'no-store')
  // a browser shows nothing of it as a page of this server
  told.set('x-content-type-options', 'nosniff')
  told.set('content-security-policy', 'sandbox')
  told.set('content-disposition', 'attachment')
  return new Response(response.body, { status: response.status, headers: told })
}

/** The provider for a request without a model: the protocol's own, or else the only one that speaks it. */
function reachOfProtocol(
  { providers, reachProvider }: Asked['models'],
  { name }: Protocol,
  own: ReturnType<typeof ownCredential>,
): Reach | undefined {
  const home = homes.find(({ protocols }) => protocols.includes(name))?.name ?? ''
  const speaking = providers.filter(({ protocols }) => protocols.includes(name))
  const only = speaking.length === 1 ? speaking[0]?.name : undefined
  return reachProvider(home, own) ?? (only === undefined ? undefined : reachProvider(only, own))
}

const NO_PROVIDER =
  'No provider that speaks this protocol has a key here. Add one in the settings, under Models, or send your own beside x-ramify-key.'

const SHARED =
  'This address is asked with a key of the server, which many people share. It takes conversations only. Add a key of your own in the settings, under Models, or send your own beside x-ramify-key.'
