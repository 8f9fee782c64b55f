import 'server-only'
import { findModel } from '@/lib/gateway/find-model'
import { chatCompletions } from '@/lib/gateway/protocols/chat-completions'
import { messages } from '@/lib/gateway/protocols/messages'
import { getServices, onBehalfOf } from '@/lib/runtime'
import type { Handler } from '../api/operation'
import { credentialOf } from '../http/admit'
import { requestTurnstile } from '../http/pace'
import { admitKeyed, keyed } from './keyed'
import { ModelNotFoundError, refuse } from './refuse'

interface Listed {
  id: string
  label: string
  provider: string
}

/** Clients of Anthropic's protocol name its version with every request. */
const isAnthropic = ({ headers }: Request): boolean => headers.has('anthropic-version')

/** Answers with what `of` makes of the models that the key's owner can ask. */
const answer = async (
  request: Request,
  of: (models: readonly Listed[]) => object | Promise<object>,
): Promise<Response> => {
  const known = keyed(request)
  try {
    const services = await getServices()
    return await requestTurnstile.pass(credentialOf(known), async () => {
      const viewer = await admitKeyed(known, services)
      const { models } = await onBehalfOf(viewer.id, () => services.models.of(viewer.id))
      return Response.json(await of(models.list()), { headers: { 'cache-control': 'no-store' } })
    })
  } catch (error) {
    return refuse(error, known, isAnthropic(request) ? messages : chatCompletions)
  }
}

/** `GET /v1/models`: OpenAI's list, or Anthropic's. */
export const listForAgent: Handler = (request) =>
  answer(request, (models) => {
    if (!isAnthropic(request)) return { object: 'list', data: models.map(openAIModel) }
    const data = models.map(anthropicModel)
    return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  })

/** `GET /v1/models/{id}`: by any name that a call may use. */
export const modelForAgent: Handler = (request, { params }) =>
  answer(request, async (models) => {
    const { id: asked = '' } = (await params) as { id?: string }
    const found = findModel(
      asked,
      models.map(({ id }) => id),
    )
    const several = found && 'several' in found ? found.several : []
    const model = found && 'id' in found ? models.find(({ id }) => id === found.id) : undefined
    if (!model) throw new ModelNotFoundError(asked, several)
    return isAnthropic(request) ? anthropicModel(model) : openAIModel(model)
  })

const openAIModel = ({ id, provider }: Listed) => ({ id, object: 'model', created: 0, owned_by: provider })

const anthropicModel = ({ id, label }: Listed) => ({
  ...{ type: 'model', id, display_name: label, created_at: '1970-01-01T00:00:00Z' },
})
