import type { AgentProtocol } from '@/lib/gateway/agent-call'
import type { KnownProvider } from './catalogue/providers'

/** How a provider is asked in a protocol of its own. */
export interface Reach {
  /** the protocols that it speaks */
  readonly protocols: readonly AgentProtocol[]
  /** where its API begins; the address of a protocol follows on it */
  readonly baseUrl: string
  /** the model, as the provider names it */
  readonly model: string
  /** the headers that every request needs, the key among them */
  readonly headers: Readonly<Record<string, string>>
  /** reaches the provider, by the rules that hold for its address */
  readonly fetch: typeof globalThis.fetch
  /** whether it is asked with a key of the server, which many people share */
  readonly isShared: boolean
}

/** The rules by which a provider is reached. */
type Ways = { readonly fetch?: typeof globalThis.fetch | undefined; readonly isShared?: boolean | undefined }

/** What a provider is reached with. */
export type Access = { readonly apiKey?: string | undefined; readonly baseURL?: string | undefined }

/** How a provider is asked in its own protocols; undefined for one that speaks none that agents know. */
export function reachOf(
  { name, baseUrl, header, headers }: KnownProvider,
  model: string,
  access: () => Access,
  { fetch = globalThis.fetch, isShared = false }: Ways,
): (() => Reach) | undefined {
  if (name === 'google') return undefined
  const spoken: Record<Exclude<KnownProvider['name'], 'google'>, Reach['protocols']> = {
    openai: ['chat-completions', 'responses'],
    anthropic: ['messages'],
    ...{ groq: ['chat-completions'], openrouter: ['chat-completions'], gateway: ['chat-completions'] },
  }
  return () => {
    const { apiKey, baseURL = baseUrl } = access()
    return {
      protocols: spoken[name],
      baseUrl: baseURL,
      model,
      fetch,
      isShared,
      headers: { ...headers, ...keyHeader(apiKey, header) },
    }
  }
}

const keyHeader = (apiKey: string | undefined, header?: string): Record<string, string> => {
  if (apiKey === undefined) return {}
  return header === undefined ? { authorization: `Bearer ${apiKey}` } : { [header]: apiKey }
}

/** How a server that speaks OpenAI's protocol is asked. */
export const compatibleReach = (
  model: string,
  { apiKey, baseURL = '' }: Access,
  { fetch = globalThis.fetch, isShared = false }: Ways,
): Reach => ({
  protocols: ['chat-completions'],
  baseUrl: baseURL,
  model,
  fetch,
  isShared,
  headers: keyHeader(apiKey),
})
