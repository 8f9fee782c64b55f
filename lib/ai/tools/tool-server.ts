import type { MCPClient } from '@ai-sdk/mcp'
import { z } from 'zod'
import { named } from '@/lib/events'
import { boundedFetch } from '../bounded-fetch'
import { causesOf } from '../causes-of'
import { ForeignRedirectError } from '../own-host-fetch'
import { PrivateAddressError } from '../public-fetch'
import { withoutSecrets } from '../redact'
import { type ServerTool, toolsIn } from './listed-tools'

/** Time for a server's list of tools, in ms; bytes of one of its answers. */
const PATIENCE = 10_000
const LONGEST = 32_000_000
/** The most of one server: tools, pages of its list, characters of all its tools' descriptions. */
const MOST_TOOLS = 1000
const MOST_PAGES = 100
const MOST_SAID = 8_000_000
/** Characters of a failing tool's words. */
const MOST_OF_ERROR = 2000

/** A server of tools: MCP, over Streamable HTTP. */
export interface ToolServer {
  /** the first part of the names of its tools */
  name: string
  url: string
  token: string | undefined
}

/** Why a server of tools is of no use. */
type ServerTrouble = 'server_unreachable' | 'server_answer' | 'token_refused' | 'address_refused'

/** A server whose tools could not be listed or called; the message is for the person, and holds nothing the server said. */
export class ToolServerError extends named('ToolServerError') {
  constructor(
    readonly code: ServerTrouble,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Asks a server for its tools, page by page, up to a thousand. Entries that cannot be read are left out, and of tools with
 * the same name the first one counts. The list ends with its last page, or where it repeats itself.
 *
 * @param fetch reaches the server; it decides which addresses are allowed
 * @throws ToolServerError
 */
export async function listTools(
  server: ToolServer,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): Promise<ServerTool[]> {
  const late = AbortSignal.timeout(PATIENCE)
  const until = signal ? AbortSignal.any([signal, late]) : late
  let client: MCPClient | undefined
  try {
    client = await connect(server, fetch, until)
    return await readList(server, client, until)
  } catch (error) {
    throw troubleOf(error, server, late.aborted)
  } finally {
    // a server that does not answer is not waited for
    void client?.close().catch(() => undefined)
  }
}

async function readList(server: ToolServer, client: MCPClient, signal: AbortSignal): Promise<ServerTool[]> {
  const found = new Map<string, ServerTool>()
  const asked = new Set<string | undefined>()
  let said = 0
  for (let cursor: string | undefined; !asked.has(cursor) && asked.size < MOST_PAGES; ) {
    asked.add(cursor)
    let answer: unknown
    try {
      answer = await request(client, { method: 'tools/list', params: { cursor } }, signal)
    } catch (error) {
      // servers that end their list with an empty cursor may refuse to be asked for it
      if (found.size > 0 && isRefusal(error)) break
      throw error
    }
    const page = toolsIn(server.name, answer)
    if (!page && found.size === 0) throw notMcp(server)
    if (!page) break
    const added = page.tools.filter(({ name }) => !found.has(name))
    for (const tool of added) {
      said += JSON.stringify(tool).length
      if (found.size === MOST_TOOLS || said > MOST_SAID) return [...found.values()]
      if (!found.has(tool.name)) found.set(tool.name, tool)
    }
    const isRepeated = page.tools.length > 0 && added.length === 0
    if (page.next === undefined || isRepeated) break
    cursor = page.next
  }
  return [...found.values()]
}

/** The part of the client below its typed methods: those refuse a whole list for one entry that is not as it should be. */
interface RawClient {
  request(asked: {
    request: { method: string; params: Record<string, unknown> }
    resultSchema: z.ZodType
    options: { signal: AbortSignal }
  }): Promise<unknown>
}

const request = (
  client: MCPClient,
  asked: { method: string; params: Record<string, unknown> },
  signal: AbortSignal,
): Promise<unknown> =>
  (client as unknown as RawClient).request({
    request: asked,
    resultSchema: z.unknown(),
    options: { signal },
  })

/** A connection to a server for the calls of one reply: made with the first call. */
export class ToolConnection {
  #client: Promise<MCPClient> | undefined
  readonly #opened: Promise<MCPClient>[] = []

  constructor(
    private readonly server: ToolServer,
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  /**
   * Calls a tool; its answer is text, or JSON where the server gave nothing else.
   *
   * @throws ToolServerError for a server that cannot be reached, Error with the words of a tool that failed
   */
  async call(called: string, input: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    let answer: Awaited<ReturnType<MCPClient['callTool']>>
    try {
      const client = await this.#connected()
      answer = await client.callTool({
        name: called,
        arguments: (input ?? {}) as Record<string, unknown>,
        options: { signal },
      })
    } catch (error) {
      signal?.throwIfAborted()
      // the next call connects anew, unless the server has only refused this one
      if (!isRefusal(error)) this.#client = undefined
      throw failureOf(error, this.server)
    }
    const said = wordsOf(answer)
    if (answer.isError) {
      const words = typeof said === 'string' ? said : JSON.stringify(said)
      throw new Error(words.slice(0, MOST_OF_ERROR).toWellFormed() || 'The tool failed without saying why.')
    }
    return said
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#opened)
    await Promise.allSettled(clients.map((client) => client.status === 'fulfilled' && client.value.close()))
  }

  #connected(): Promise<MCPClient> {
    if (this.#client) return this.#client
    this.#client = connect(this.server, this.fetch, AbortSignal.timeout(PATIENCE))
    this.#opened.push(this.#client)
    return this.#client
  }
}

async function connect(
  server: ToolServer,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<MCPClient> {
  const { createMCPClient } = await import('@ai-sdk/mcp')
  return createMCPClient({
    clientName: 'ramify',
    initializationOptions: { signal },
    // notices that a server sends unasked, or after its connection is closed, have no reader
    onUncaughtError: () => undefined,
    transport: {
      type: 'http',
      url: server.url,
      // a redirect is followed to the same host only: `fetch` sees to it
      redirect: 'error',
      headers: server.token ? { authorization: `Bearer ${server.token}` } : {},
      fetch: boundedFetch(fetch, LONGEST),
    },
  })
}

/** A tool's answer: its texts, else its structured answer, with a word for each part that is neither. */
function wordsOf(answer: Awaited<ReturnType<MCPClient['callTool']>>): unknown {
  if (!('content' in answer) || !Array.isArray(answer.content)) return answer.toolResult ?? null
  const { content, structuredContent } = answer
  if (content.length === 0 && structuredContent !== undefined) return structuredContent
  return content.map(textOf).join('\n')
}

function textOf(part: { type: string; [field: string]: unknown }): string {
  if (part.type === 'text') return String(part.text)
  const { resource, uri, mimeType } = part as {
    resource?: { text?: string; uri?: string }
    uri?: string
    mimeType?: string
  }
  if (typeof resource?.text === 'string') return resource.text
  return `[${[part.type, mimeType, uri ?? resource?.uri].filter(Boolean).join(', ')}: not kept]`
}

const notMcp = ({ name }: ToolServer, how = 'something else than MCP over HTTP'): ToolServerError =>
  new ToolServerError('server_answer', `${name} answered with ${how}. Check the address.`)

function troubleOf(error: unknown, server: ToolServer, isLate = false): ToolServerError {
  if (error instanceof ToolServerError) return error
  const { name } = server
  const causes = causesOf(error)
  const ofKind = (kind: typeof PrivateAddressError | typeof ForeignRedirectError) =>
    causes.some((cause) => cause instanceof kind)
  if (ofKind(PrivateAddressError))
    return new ToolServerError('address_refused', 'This server reaches tools at public https addresses only.')
  if (ofKind(ForeignRedirectError))
    return new ToolServerError(
      'server_unreachable',
      `${name} redirects to another address, which is not followed.`,
    )
  if (isLate || causes.some((cause) => cause instanceof Error && cause.name === 'TimeoutError'))
    return new ToolServerError(
      'server_unreachable',
      `${name} did not answer within ${PATIENCE / 1000} seconds.`,
    )
  const status = causes
    .map((cause) => (cause as { statusCode?: unknown }).statusCode)
    .find((code) => typeof code === 'number')
  if (status === 401 || status === 403) {
    return new ToolServerError(
      'token_refused',
      `${name} refused the token. Check that it is complete and active.`,
    )
  }
  if (
    status !== undefined ||
    causes.some((cause) => cause instanceof Error && cause.name === 'MCPClientError')
  ) {
    // a page that is no MCP has a status too
    return notMcp(server, typeof status === 'number' && status >= 400 ? `an error (${status})` : undefined)
  }
  return new ToolServerError('server_unreachable', `${name} could not be reached.`)
}

/** True when a server has answered a call with an error of its own (JSON-RPC). */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && typeof (error as { code?: unknown }).code === 'number'

/** A failed call, in the words of the server, if it has any. */
const failureOf = (error: unknown, server: ToolServer): Error =>
  isRefusal(error)
    ? new Error(withoutSecrets(error.message.slice(0, MOST_OF_ERROR)).toWellFormed())
    : troubleOf(error, server)
