import 'server-only'
import { findModel, versionless } from '@/lib/gateway/find-model'
import { messages } from '@/lib/gateway/protocols/messages'
import type { Protocol } from '@/lib/gateway/protocols/protocol'
import { getServices, onBehalfOf, type Services } from '@/lib/runtime'
import type { Handler } from '../api/operation'
import { credentialOf } from '../http/admit'
import { requestTurnstile } from '../http/pace'
import { spokenIn } from './base-url'
import { admitKeyed, keyed } from './keyed'
import { homes, ModelNotFoundError, modelOf } from './model-of'
import { ownCredential } from './passed-headers'
import { listedBy, type ProviderModel } from './provider-lists'
import { refuse } from './refuse'

/** A model of the list here, or as its provider lists it. */
interface Listed {
  id: string
  label: string
  provider: string
  told?: ProviderModel
}

/** The protocol of a client that asks for the list. */
const protocolOf = ({ headers }: Request): Protocol => spokenIn('/v1/models', headers)

const isAnthropic = (request: Request): boolean => protocolOf(request) === messages

/** Answers with the result of `of` for the models that the key's owner can ask. */
const answer = async (
  request: Request,
  of: (models: Awaited<ReturnType<Services['models']['of']>>) => Promise<object>,
): Promise<Response> => {
  const known = keyed(request)
  try {
    const services = await getServices()
    return await requestTurnstile.pass(credentialOf(known), async () => {
      const viewer = await admitKeyed(known, services)
      const listed = await onBehalfOf(viewer.id, async () => of(await services.models.of(viewer.id)))
      return Response.json(listed, { headers: { 'cache-control': 'no-store' } })
    })
  } catch (error) {
    return refuse(error, known, protocolOf(request))
  }
}

/**
 * The models of this server's lists by their ids, and models of the providers' lists by their own names. For
 * a shared key, only models that are listed here, and their versions.
 */
async function listed(
  { models, reachProvider }: Awaited<ReturnType<Services['models']['of']>>,
  request: Request,
): Promise<Listed[]> {
  const own = ownCredential(request)
  const protocol = protocolOf(request).name
  const asked = own ? homes.filter(({ protocols }) => protocols.includes(protocol)) : models.providers
  const ours = models.list()
  const ids = new Set(ours.map(({ id }) => id))
  const theirs = await Promise.all(
    asked.map(async ({ name: provider, keepsToList = false }) => {
      // a key that cannot be read lists nothing
      const reach = reachable(() => reachProvider(provider, own))
      const found = reach ? await listedBy(reach) : []
      return found
        .filter(({ id }) => !keepsToList || ids.has(`${provider}:${versionless(id)}`))
        .map((told) => ({ id: told.id, label: labelOf(told), provider, told }))
    }),
  )
  const named = new Map<string, Listed>()
  for (const model of [...ours, ...theirs.flat()]) if (!named.has(model.id)) named.set(model.id, model)
  return [...named.values()]
}

function reachable<Found>(reach: () => Found): Found | undefined {
  try {
    return reach()
  } catch {
    return undefined
  }
}

const labelOf = ({ id, display_name: label }: ProviderModel): string =>
  typeof label === 'string' ? label : id

/** `GET /v1/models`: OpenAI's list, or Anthropic's. */
export const listForAgent: Handler = (request) =>
  answer(request, async (models) => {
    const all = await listed(models, request)
    if (!isAnthropic(request)) return { object: 'list', data: all.map(openAIModel) }
    const data = all.map(anthropicModel)
    return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  })

/**
 * `GET /v1/models/{id}`: by any name that a call may use, in the provider's form when no list here has it.
 */
export const modelForAgent: Handler = (request, { params }) =>
  answer(request, async (models) => {
    const { id: name = '' } = (await params) as { id?: string }
    const all = await listed(models, request)
    const found = findModel(name, models.ids)
    const id = found && 'id' in found ? found.id : name
    const model =
      all.find((each) => each.id === id) ??
      listedAs(modelOf(models, name, { protocol: protocolOf(request).name, own: ownCredential(request) }).id)
    if (!model) throw new ModelNotFoundError(name)
    return isAnthropic(request) ? anthropicModel(model) : openAIModel(model)

    /** a provider may answer to an unlisted name, unless its list is known */
    function listedAs(asked: string): Listed | undefined {
      const [provider = ''] = asked.split(':', 1)
      const isListed = all.some((each) => each.provider === provider && each.told)
      const bare = asked.slice(provider.length + 1)
      return isListed ? undefined : { id: bare, label: bare, provider }
    }
  })

const openAIModel = ({ id, provider, told }: Listed) =>
  told?.object === 'model' ? told : { id, object: 'model', created: 0, owned_by: provider }

const anthropicModel = ({ id, label, told }: Listed) =>
  told?.type === 'model'
    ? told
    : { type: 'model', id, display_name: label, created_at: '1970-01-01T00:00:00Z' }
