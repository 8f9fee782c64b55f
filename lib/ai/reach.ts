import type { AgentProtocol } from '@/lib/gateway/agent-call'
import type { KnownProvider, ProviderName } from './catalogue/providers'

/** Access to a provider in a protocol of its own. */
export interface Reach {
  /** the protocols that it speaks */
  readonly protocols: readonly AgentProtocol[]
  /** base address of its API; the address of a protocol follows on it */
  readonly baseUrl: string
  /** the model, as the provider names it */
  readonly model: string
  /** the headers that every request needs, the key among them */
  readonly headers: Readonly<Record<string, string>>
  /** reaches the provider, by the rules that hold for its address */
  readonly fetch: typeof globalThis.fetch
  /** true when it is asked with a key of the server, which many people share */
  readonly isShared: boolean
}

/** The rules by which a provider is reached. */
type Ways = { readonly fetch?: typeof globalThis.fetch | undefined; readonly isShared?: boolean | undefined }

/** The headers that a client sends to its provider in place of a stored key. */
export type Credential = Readonly<Record<string, string>>

/** The key and the address that a provider is reached with. A person's key is opened when it is read. */
export type Access = { readonly apiKey?: string | undefined; readonly baseURL?: string | undefined }

const chatOnly: Reach['protocols'] = ['chat-completions']

const spoken: Readonly<Record<ProviderName, Reach['protocols']>> = {
  openai: ['chat-completions', 'responses'],
  anthropic: ['messages'],
  google: [],
  groq: chatOnly,
  openrouter: chatOnly,
  gateway: chatOnly,
  'openai-compatible': chatOnly,
}

/** The protocols of agents that a provider speaks. */
export const spokenBy = (provider: ProviderName): Reach['protocols'] => spoken[provider]

/** Access to a provider in its own protocols; undefined for a provider without a protocol that agents know. */
export function reachOf(
  { name, baseUrl, header, headers }: KnownProvider,
  model: string,
  access: Access,
  { fetch = globalThis.fetch, isShared = false }: Ways,
): ((own?: Credential) => Reach) | undefined {
  if (spoken[name].length === 0) return undefined
  return (own) => ({
    protocols: spoken[name],
    baseUrl: access.baseURL ?? baseUrl,
    model,
    fetch,
    isShared: isShared && own === undefined,
    headers: { ...headers, ...(own ?? keyHeader(access.apiKey, header)) },
  })
}

const keyHeader = (apiKey: string | undefined, header?: string): Record<string, string> => {
  if (apiKey === undefined) return {}
  return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
}

/** Access to a server that speaks OpenAI's protocol. */
export const compatibleReach = (
  model: string,
  access: Access,
  { fetch = globalThis.fetch, isShared = false }: Ways,
  own?: Credential,
): Reach => ({
  protocols: spokenBy('openai-compatible'),
  baseUrl: access.baseURL ?? '',
  model,
  fetch,
  isShared: isShared && own === undefined,
  headers: own ?? keyHeader(access.apiKey),
})
