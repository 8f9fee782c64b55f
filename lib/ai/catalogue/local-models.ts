import { boundedFetch } from '../bounded-fetch'
import { type FoundModel, modelsIn } from './found-models'
import { free } from './model-facts'

/** A model server on this machine. */
export interface LocalServer {
  readonly name: 'ollama' | 'lmstudio'
  /** without a path */
  readonly url: string
}

/** Default addresses of these servers. */
export const localServers: readonly LocalServer[] = [
  { name: 'ollama', url: 'http://127.0.0.1:11434' },
  { name: 'lmstudio', url: 'http://127.0.0.1:1234' },
]

/** A model server that answers, with the models it has. */
export interface FoundServer extends LocalServer {
  readonly models: readonly FoundModel[]
}

/** Time that a server may take, in ms: a server on this machine answers at once. */
const PATIENCE = 400
/** Bytes of its list, at most. */
const LONGEST = 3_000_000
/** Time that an answer counts, in ms. */
const FRESH = 15_000

/**
 * Finds the model servers on this machine. The answers count for 15 s; after that the last ones are given while the
 * servers are asked again. A server that does not answer within 0.4 s keeps the models it had: it may be busy, and a
 * chat with a model of this machine must not go elsewhere for that. If nothing listens any more, there are none.
 */
export class LocalModels {
  #last: { at: number; servers: readonly FoundServer[] } | undefined
  #asking: Promise<readonly FoundServer[]> | undefined

  constructor(
    private readonly servers: readonly LocalServer[] = localServers,
    private readonly clock: () => number = Date.now,
  ) {}

  /** The servers that answer. Never rejects. */
  async found(): Promise<readonly FoundServer[]> {
    if (this.servers.length === 0) return []
    if (this.#last && this.clock() - this.#last.at < FRESH) return this.#last.servers
    this.#asking ??= this.#ask()
    return this.#last?.servers ?? this.#asking
  }

  /** Resolves when no server is being asked. */
  async settled(): Promise<void> {
    await this.#asking
  }

  async #ask(): Promise<readonly FoundServer[]> {
    const asked = await Promise.all(
      this.servers.map(async (server) => ({
        ...server,
        models: (await modelsOf(server)) ?? this.#former(server),
      })),
    )
    const servers = asked.filter(({ models }) => models.length > 0)
    this.#last = { at: this.clock(), servers }
    this.#asking = undefined
    return servers
  }

  #former({ url }: LocalServer): readonly FoundModel[] {
    return this.#last?.servers.find((server) => server.url === url)?.models ?? []
  }
}

/** The models that a server lists; undefined when it does not answer in time. */
async function modelsOf({ name, url }: LocalServer): Promise<FoundModel[] | undefined> {
  // LM Studio's own list says what a model can do; OpenAI's form, which both speak, only names it
  const paths = name === 'lmstudio' ? ['/api/v0/models', '/v1/models'] : ['/v1/models']
  for (const path of paths) {
    const answer = await json(`${url}${path}`)
    if (answer === LATE) return undefined
    const found = modelsIn(answer)
    if (found) return found.map((model) => ({ ...model, price: free }))
  }
  return []
}

/** In place of an answer that did not come in time. */
const LATE = Symbol('late')

/** The JSON at an address of this machine; undefined when there is none. */
async function json(address: string): Promise<unknown> {
  try {
    const response = await boundedFetch(fetch, LONGEST)(address, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    return response.ok ? await response.json() : undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return LATE
    // a server that is not running is the usual case, not a fault
    return undefined
  }
}
