import { asSchema, dynamicTool, jsonSchema, type Tool, type ToolSet } from 'ai'
import {
  boundedTool,
  builtIns,
  listTools,
  type ServerTool,
  sentName,
  type ToolBounds,
  ToolConnection,
  ToolServerError,
} from '@/lib/ai'
import type { Ports } from '@/lib/conversations'
import type { StoredToolServer, ToolServers } from '@/lib/store'
import type { PersonalModels } from './personal-models'

type ToolsPort = Ports['tools']
type ToolWish = Parameters<ToolsPort['forReply']>[0]
type ReplyTools = Awaited<ReturnType<ToolsPort['forReply']>>

/** Maximum number of tools in one request: providers take no more. */
const MOST = 128
/** Characters that all tools of one reply say at most: it is stored, and read again with every message. */
const MOST_SAID = 2_000_000
/** Lifetime of the stored list of a server's tools, in ms, and number of lists to keep. */
const FRESH = 60_000
/** Pause before a failed server is asked again, in ms. */
const FAILED = 10_000
const KEPT = 500

interface Options extends Pick<Ports, 'clock' | 'logError'> {
  /** within which a call of a tool ends */
  bounds?: ToolBounds
}

/** A tool that a person can switch on. */
export interface OfferedTool {
  name: string
  title: string
  description: string
  server: { id: string; name: string } | null
  inputSchema: unknown
  approval: 'always' | 'ask'
}

/** A server of a person, and the outcome of asking it for its tools. */
export interface OfferedServer {
  server: StoredToolServer
  problem: ToolServerError | undefined
}

/** A tool as a model calls it. */
interface Callable extends OfferedTool {
  tool: Tool
}

/** The tools of each person: Ramify's own tools, and those of the person's servers. */
export class PersonalTools implements ToolsPort {
  readonly #lists = new Map<string, { until: number; tools: Promise<ServerTool[]> }>()

  constructor(
    private readonly servers: ToolServers,
    private readonly models: PersonalModels,
    private readonly options: Options,
  ) {}

  /** Tools that a person can switch on, and the servers they come from. */
  async offered(ownerId: string): Promise<{ tools: OfferedTool[]; servers: OfferedServer[] }> {
    const asked = await this.#ask(await this.servers.of(ownerId))
    const own = await Promise.all(
      builtIns.map(({ make, ...tool }) => callable({ ...tool, server: null }, make(idle))),
    )
    return {
      tools: [...own.map(({ tool: _, ...offered }) => offered), ...asked.flatMap(offeredBy)],
      servers: asked.map(({ server, problem }) => ({ server, problem })),
    }
  }

  /** The tools of one server, asked for anew. Rejects with `ToolServerError`. */
  async test(
    server: Pick<StoredToolServer, 'name' | 'url' | 'token'>,
    signal?: AbortSignal,
  ): Promise<ServerTool[]> {
    return listTools(server, this.models.catalogue.ownFetch, signal)
  }

  async forReply({ chatId, model, models, choices, work }: ToolWish): Promise<ReplyTools> {
    const calls = models ? models.facts(model).tools : (await this.models.factsIn(chatId, model)).tools
    const close = async () => undefined
    if (calls === false) return { sent: [], notices: [], close }
    // always in the same order: providers keep the beginning of a prompt they have read before
    const wanted = Object.keys(choices)
      .filter((name) => choices[name] !== 'never')
      .sort()
    const own = await Promise.all(
      builtIns.map(({ make, ...tool }) => callable({ ...tool, server: null }, make(work))),
    )
    const isOwn = new Set(own.map(({ name }) => name))
    const foreign = wanted.filter((name) => !isOwn.has(name))
    const found = await this.#foreign(chatId, foreign)
    const byName = new Map([...own, ...found.tools].map((tool) => [tool.name, tool]))
    const offered = wanted.flatMap((name) => byName.get(name) ?? []).slice(0, MOST)
    const notices = [...found.notices]
    if (byName.size > 0 && wanted.filter((name) => byName.has(name)).length > MOST) {
      notices.push(`Only the first ${MOST} of the tools that are switched on were offered.`)
    }
    const bounds = { ...this.options.bounds, room: { left: MOST_SAID } }
    const set: ToolSet = Object.fromEntries(
      offered.map(({ name, tool }) => [name, boundedTool(tool, bounds)]),
    )
    const asks = offered.filter(({ name }) => choices[name] !== 'always')
    return {
      ...(offered.length > 0 && { set }),
      approval: Object.fromEntries(asks.map(({ name }) => [name, 'user-approval'])),
      sent: offered.map(({ name, description, inputSchema }) => ({
        name: sentName(name),
        description,
        input_schema: inputSchema,
      })),
      notices,
      close: found.close,
    }
  }

  /** The wanted tools of the servers of a chat's owner. */
  async #foreign(chatId: string, wanted: readonly string[]) {
    const connections: ToolConnection[] = []
    const close = async () => {
      await Promise.all(connections.map((connection) => connection.close()))
    }
    if (wanted.length === 0) return { tools: [], notices: [], close }
    const servers = (await this.servers.ofChat(chatId)).filter(({ name }) =>
      wanted.some((tool) => tool.startsWith(`${name}__`)),
    )
    const asked = await this.#ask(servers)
    const tools = asked.flatMap(({ server, tools: listed }) => {
      const connection = new ToolConnection(server, this.models.catalogue.ownFetch)
      connections.push(connection)
      return listed.map((tool) => foreignTool(server, tool, connection))
    })
    const known = new Set(tools.map(({ name }) => name))
    const problems = asked.flatMap(({ problem }) => problem ?? [])
    const isMissing = (name: string) =>
      !known.has(name) && !asked.some(({ server, problem }) => problem && name.startsWith(`${server.name}__`))
    const missing = wanted.filter(isMissing)
    const notices = problems.map(({ message }) => `${message} Its tools were not offered.`)
    if (missing.length > 0) notices.push(`Not offered, because it is no longer there: ${listOf(missing)}.`)
    return { tools: tools.filter(({ name }) => wanted.includes(name)), notices, close }
  }

  async #ask(servers: readonly StoredToolServer[]) {
    return Promise.all(
      servers.map(async (server) => {
        try {
          if (!server.isReadable) throw unreadable(server.name)
          return { server, tools: await this.#listed(server), problem: undefined }
        } catch (error) {
          if (error instanceof ToolServerError) return { server, tools: [], problem: error }
          this.options.logError(`listing the tools of server ${server.id}`, error)
          const problem = new ToolServerError('server_unreachable', `${server.name} could not be reached.`)
          return { server, tools: [], problem }
        }
      }),
    )
  }

  /** A list that was read a moment ago is good enough. */
  #listed(server: StoredToolServer): Promise<ServerTool[]> {
    const { clock } = this.options
    const known = this.#lists.get(server.id)
    if (known && clock() < known.until) return known.tools
    const list = { until: clock() + FRESH, tools: this.test(server) }
    this.#lists.delete(server.id)
    this.#lists.set(server.id, list)
    list.tools.catch(() => {
      list.until = clock() + FAILED
    })
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > KEPT && oldest !== undefined) this.#lists.delete(oldest)
    return list.tools
  }
}

const unreadable = (name: string): ToolServerError =>
  new ToolServerError(
    'token_refused',
    `The token of ${name} can no longer be read, because this server’s secret has changed. Remove it and add it again.`,
  )

async function callable(
  facts: Omit<OfferedTool, 'description' | 'inputSchema'>,
  tool: Tool,
): Promise<Callable> {
  const inputSchema = await asSchema(tool.inputSchema).jsonSchema
  return { ...facts, description: descriptionOf(tool), inputSchema, tool }
}

const descriptionOf = ({ description }: Tool): string => (typeof description === 'string' ? description : '')

const offeredBy = ({
  server,
  tools,
}: {
  server: StoredToolServer
  tools: readonly ServerTool[]
}): OfferedTool[] =>
  tools.map(({ name, title, description, inputSchema }) => ({
    name,
    title,
    description,
    inputSchema,
    approval: 'ask' as const,
    server: { id: server.id, name: server.name },
  }))

function foreignTool(server: StoredToolServer, listed: ServerTool, connection: ToolConnection): Callable {
  const { called, description, inputSchema, title } = listed
  const tool = dynamicTool({
    description,
    title,
    inputSchema: jsonSchema(inputSchema),
    execute: (input, { abortSignal }) => connection.call(called, input, abortSignal),
  })
  const [offered] = offeredBy({ server, tools: [listed] })
  if (!offered) throw new Error('A tool that is listed is offered')
  return { ...offered, tool }
}

/** Tools that are only described are not called. */
const idle: ToolWish['work'] = {
  now: () => 0,
  search: async () => [],
  remember: async () => undefined,
  forget: async () => false,
}

/** The first few of many names. */
const listOf = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
