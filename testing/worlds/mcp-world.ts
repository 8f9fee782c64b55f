import { buffer } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import type { Services } from '@/lib/runtime'
import { createFront } from '@/lib/runtime/front/front'
import type { KeyScope } from '@/lib/store'
import { type ChatRequest, type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { answer, listening, requestOf } from './http-servers'
import { asProcess } from './identity-world'
import { type DatabaseKind, databaseEnv } from './open-stores'

/** What a tool has answered. */
interface ToolAnswer {
  isError: boolean
  /** the text for a model */
  text: string
  /** the structured content; each test knows its type */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows its type
  value: any
}

/** An agent with a key of a person, and the unmodified client of the protocol. */
export interface Agent {
  key: string
  client: Client
  call(tool: string, input?: object, options?: Parameters<Client['callTool']>[2]): Promise<ToolAnswer>
}

/** A message of the protocol from a client of one's own. */
export const mcpRequest = (
  url: URL,
  token: string,
  method: string,
  params: object = {},
  init: RequestInit = {},
) =>
  new Request(url, {
    ...{ method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), ...init },
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
    },
  })

/** An application on a database of its own, served over HTTP, with a scripted provider. */
export interface McpWorld {
  services: Services
  url: URL
  /** how the provider answers from now on */
  answer: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>
  /** a new person */
  person(): Promise<string>
  /** an agent of a person; of a new one unless given */
  agent(of?: { ownerId?: string; scopes?: readonly KeyScope[] }): Promise<Agent>
  close(): Promise<void>
}

/**
 * Opens the world.
 *
 * @param handle answers the requests that the front has admitted
 */
export async function openMcpWorld(
  kind: DatabaseKind,
  handle: (request: Request) => Promise<Response>,
  env: Record<string, string> = {},
): Promise<McpWorld> {
  const database = await databaseEnv(kind)
  const provider = await startOpenAIServer({ answer: (request) => world.answer(request) })
  const services = await asProcess({
    ...{ ...database.env, RAMIFY_RATE_LIMIT: 'off', RAMIFY_TITLES: 'words', RAMIFY_LOCAL_MODELS: 'off' },
    ...{ OPENAI_COMPATIBLE_BASE_URL: provider.url, OPENAI_COMPATIBLE_MODELS: 'scripted' },
    ...{ RAMIFY_DEFAULT_MODEL: 'openai-compatible:scripted', ...env },
  })
  const served = await listening(
    createFront(async (incoming, outgoing) => {
      const request = requestOf(incoming, outgoing, await buffer(incoming))
      await answer(outgoing, await handle(request))
    }),
  )
  const agents: Client[] = []
  const world: McpWorld = {
    services,
    url: new URL(`${served.url}/mcp`),
    answer: () => 'Noted.',
    async person() {
      const id = newId()
      await services.database.orm.insert(schema.user).values({ id, name: id, email: `${id}@example.org` })
      return id
    },
    async agent({ ownerId, scopes } = {}) {
      const made = await services.apiKeys.create(ownerId ?? (await world.person()), {
        ...{ id: newId(), name: 'agent', ...(scopes && { scopes }) },
      })
      if (!made?.made) throw new Error('No key')
      const client = new Client({ name: 'tested', version: '1.0.0' })
      const headers = { authorization: `Bearer ${made.key}` }
      await client.connect(new StreamableHTTPClientTransport(world.url, { requestInit: { headers } }))
      agents.push(client)
      return {
        ...{ key: made.key, client },
        async call(name, input = {}, options) {
          const params = { name, arguments: { ...input } }
          const answer = (await client.callTool(params, undefined, options)) as CallToolResult
          const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
          return { isError: answer.isError ?? false, text, value: answer.structuredContent }
        },
      }
    },
    async close() {
      for (const client of agents) await client.close()
      await served.close()
      await services.database.close()
      await database.remove()
      await provider.close()
    },
  }
  return world
}
