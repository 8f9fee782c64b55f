import { z } from 'zod'
import { type FoundModel, modelsIn } from './found-models'
import { free } from './model-facts'

/** A model server on this machine. */
export interface LocalServer {
  readonly name: 'ollama' | 'lmstudio'
  /** without a path */
  readonly url: string
}

/** Where these servers listen unless told otherwise. */
export const localServers: readonly LocalServer[] = [
  { name: 'ollama', url: 'http://127.0.0.1:11434' },
  { name: 'lmstudio', url: 'http://127.0.0.1:1234' },
]

/** A model server that answers, with the models it has. */
export interface FoundServer extends LocalServer {
  readonly models: readonly FoundModel[]
}

/** How long a server may take, in ms: one on this machine answers at once. */
const PATIENCE = 400
/** How long an answer counts, in ms. */
const FRESH = 15_000

/**
 * Finds the model servers on this machine. The answers count for 15 s; after that the last ones are given while the
 * servers are asked again. A server that does not answer within 0.4 s keeps the models it had: it may be busy, and a chat with
 * a model of this machine must not go elsewhere for that. Where nothing listens any more, there are none.
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

/** LM Studio's own list says what a model can do; OpenAI's form, which both speak, only names it. */
const ofStudio = z.object({
  data: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      max_context_length: z.int().positive().optional().catch(undefined),
      capabilities: z.array(z.string()).optional().catch(undefined),
    }),
  ),
})

/** The models that a server lists; undefined when it does not answer in time. */
async function modelsOf({ name, url }: LocalServer): Promise<FoundModel[] | undefined> {
  if (name === 'lmstudio') {
    const answer = await json(`${url}/api/v0/models`)
    if (answer === LATE) return undefined
    const own = ofStudio.safeParse(answer)
    if (own.success) {
      return own.data.data
        .filter(({ type }) => type === 'llm' || type === 'vlm')
        .map(({ id, type, max_context_length, capabilities }) => ({
          name: id,
          window: max_context_length ?? null,
          input: type === 'vlm' ? ['text/plain', 'image/*'] : ['text/plain'],
          tools: capabilities?.includes('tool_use') ?? null,
          price: free,
        }))
    }
  }
  const answer = await json(`${url}/v1/models`)
  if (answer === LATE) return undefined
  return (modelsIn(answer) ?? []).map((model) => ({ ...model, price: free }))
}

/** In place of an answer that did not come in time. */
const LATE = Symbol('late')

/** The JSON at an address of this machine; undefined when there is none. */
async function json(address: string): Promise<unknown> {
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE) })
    return response.ok ? await response.json() : undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return LATE
    // a server that is not running is the usual case, not a fault
    return undefined
  }
}
