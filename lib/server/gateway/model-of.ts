import 'server-only'
import { type Credential, providerLabel } from '@/lib/ai'
import type { AgentProtocol } from '@/lib/gateway/agent-call'
import { findModel } from '@/lib/gateway/find-model'
import { idsOfUnlisted, type OpenProvider } from '@/lib/gateway/provider-of'
import type { Services } from '@/lib/runtime'

/** A name that no model has, or several. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError'

  constructor(model: string, several: readonly string[] = []) {
    const named = `The model "${model}" is not known here. GET /v1/models lists those that are. Under Settings, Models you add a key of its provider.`
    const unclear = `Several providers have a model "${model}", or may have it. Name one of: ${several.join(', ')}.`
    super(several.length > 0 ? unclear : named)
  }
}

/**
 * The home provider of each protocol: a client's own credential is for one of them, unless its model names
 * another.
 */
export const homes: readonly OpenProvider[] = [
  { name: 'openai', protocols: ['chat-completions', 'responses'] },
  { name: 'anthropic', protocols: ['messages'] },
]

type Models = Awaited<ReturnType<Services['models']['of']>>

/** The model that a call asks for. */
export interface AskedModel {
  /** the listed id; for an unlisted model, its provider with the name as given */
  id: string
  get: () => ReturnType<Models['get']>
  reach: ReturnType<Models['reach']>
}

/**
 * The model that a client means: a listed one, else one of the provider that its name belongs to, with the
 * name as given.
 *
 * @param asking the protocol of the agent, and the credential that it has of its own
 * @throws ModelNotFoundError, and as `Models.reach`
 */
export function modelOf(
  models: Models,
  name: string,
  { protocol, own }: { protocol: AgentProtocol; own?: Credential | undefined },
): AskedModel {
  const model = (id: string, asked = id): AskedModel => ({
    id,
    get: () => models.get(asked),
    reach: models.reach(asked, own),
  })
  const found = findModel(name, models.ids)
  if (found && 'id' in found) {
    const { id, asked } = found
    // servers on this machine answer to the names that they list alone
    return model(id, models.providers.some((provider) => isOf(provider.name, id)) ? asked : id)
  }
  const [prefix = ''] = name.split(':', 1)
  if (providerLabel(prefix) !== prefix && isOf(prefix, name)) return model(name)
  const possible = idsOfUnlisted(name, protocol, own ? homes : models.providers)
  const several = found?.several ?? possible
  const [id] = found ? possible.filter((each) => several.includes(each)) : possible
  if (id === undefined || possible.length > 1) throw new ModelNotFoundError(name, several)
  return model(id)
}

const isOf = (provider: string, id: string): boolean => id.startsWith(`${provider}:`)
