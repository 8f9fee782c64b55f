import { buffer } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { newId } from '@/lib/events'
import { createFront } from '@/lib/runtime/front/front'
import type { KeyScope } from '@/lib/store'
import { type ChatRequest, type ScriptedReply, startOpenAIServer } from '@/testing/machines/openai-server'
import { answer, listening, requestOf } from './http-servers'
import { asProcess } from './identity-world'
import { type DatabaseKind, databaseEnv } from './open-stores'
import { addPerson } from './turn-world'

/** An agent with a key of a person, and the unmodified client of the protocol. */
export type Agent = Awaited<ReturnType<Awaited<ReturnType<typeof openMcpWorld>>['agent']>>

/** A message of the protocol from a client of one's own. */
export const mcpRequest = (
  url: URL,
  token: string,
  method: string,
  params: object = {},
  init: RequestInit = {},
) =>
  new Request(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...init,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  })

/**
 * An application on a database of its own, served over HTTP, with a scripted provider.
 *
 * @param handle answers the requests that the front has admitted
 */
export async function openMcpWorld(
  kind: DatabaseKind,
  handle: (request: Request) => Promise<Response>,
  env: Record<string, string> = {},
) {
  const database = await databaseEnv(kind)
  /** how the provider answers from now on */
  const scripted: { answer: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply> } = {
    answer: () => 'Noted.',
  }
  const provider = await startOpenAIServer({ answer: (request) => scripted.answer(request) })
  const services = await asProcess({
    ...database.env,
    RAMIFY_RATE_LIMIT: 'off',
    RAMIFY_TITLES: 'words',
    RAMIFY_LOCAL_MODELS: 'off',
    OPENAI_COMPATIBLE_BASE_URL: provider.url,
    OPENAI_COMPATIBLE_MODELS: 'scripted',
    RAMIFY_DEFAULT_MODEL: 'openai-compatible:scripted',
    ...env,
  })
  // a body that the handler does not read would hold its connection up
  const served = await listening(
    createFront(async (incoming, outgoing) => {
      const request = requestOf(incoming, outgoing, await buffer(incoming))
      await answer(outgoing, await handle(request))
    }),
  )
  const agents: Client[] = []
  const url = new URL(`${served.url}/mcp`)
  const person = () => addPerson(services)
  return Object.assign(scripted, {
    services,
    url,
    person,
    /** an agent of a person; of a new one unless given */
    async agent({ ownerId, scopes }: { ownerId?: string; scopes?: readonly KeyScope[] } = {}) {
      const made = await services.apiKeys.create(ownerId ?? (await person()), {
        id: newId(),
        name: 'agent',
        ...(scopes && { scopes }),
      })
      if (!made?.made) throw new Error('No key')
      const client = new Client({ name: 'tested', version: '1.0.0' })
      const headers = { authorization: `Bearer ${made.key}` }
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
      agents.push(client)
      return {
        key: made.key,
        client,
        async call(name: string, input: object = {}, options?: Parameters<Client['callTool']>[2]) {
          const params = { name, arguments: { ...input } }
          const answer = (await client.callTool(params, undefined, options)) as CallToolResult
          const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
          // biome-ignore lint/suspicious/noExplicitAny: each test knows its type
          const value = answer.structuredContent as any
          return { isError: answer.isError ?? false, text, value }
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
  })
}
