import 'server-only'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { Viewer } from '@/lib/auth'
import { getServices, logError, type Services } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { version } from '@/package.json'
import { checkOrigin, checkReads, credentialOf } from '../http/admit'
import { requestTurnstile } from '../http/pace'
import { problemResponse, RequestRefusedError, requestEnded } from '../http/problem'
import { readBody } from '../http/read-body'
import { noteRefusal } from '../http/refused-access'
import { checkStreams, countedResponse } from '../http/streams'
import { oauthScopes, resourceMetadataAt } from '../oauth/metadata'
import { tokenHolder } from '../oauth/tokens'
import { listResources, readResource, resourceTemplates } from './resources'
import type { McpCall, Tool } from './tool'
import { mcpTools } from './tools'

const tools: ReadonlyMap<string, Tool> = new Map(mcpTools.map((tool) => [tool.name, tool]))

const instructions =
  'Ramify keeps conversations with models as graphs: every message stays, every alternative is a branch. Look up with search and read_branch what was tried before. Before something uncertain save a checkpoint, or fork and go on there; what failed stays readable, and merge brings a result back. In a conversation that you have through Ramify yourself, bookmark a place, recall what was said, rewind to go on from there with your next turn, and undo. Ids come from list_chats, search and read_chat.'

/**
 * `POST /mcp`: one message of the Model Context Protocol over Streamable HTTP, without a session, so that any process of a
 * server can answer it. The request brings an API key, or the token of an app, and what that may do is listed.
 */
export async function answerMcp(request: Request): Promise<Response> {
  let publicUrl: string | undefined
  try {
    const services = await getServices()
    publicUrl = services.env.BETTER_AUTH_URL
    checkOrigin(request, publicUrl)
    return await requestTurnstile.pass(credentialOf(request), () => answer(request, services))
  } catch (error) {
    noteRefusal(error, request)
    const refused = problemResponse(error)
    if (refused.status === 401) refused.headers.set('www-authenticate', challengeFor(request, publicUrl))
    return refused
  }
}

/**
 * Challenges a client (RFC 6750): a wrong key is called wrong, a missing one is only asked for. A client that
 * speaks OAuth finds the way from there (RFC 9728).
 */
function challengeFor({ headers }: Request, publicUrl: string | undefined): string {
  const origin = ownOrigin(headers, publicUrl)
  return [
    'Bearer realm="Ramify"',
    ...(headers.has('authorization') ? ['error="invalid_token"'] : []),
    ...(origin ? [`resource_metadata="${resourceMetadataAt(origin)}"`] : []),
    `scope="${oauthScopes.join(' ')}"`,
  ].join(', ')
}

async function answer(request: Request, services: Services): Promise<Response> {
  // it may have waited for its turn
  if (request.signal.aborted) throw requestEnded()
  const viewer = await tokenHolder(request, services)
  const message = await readBody(request)
  // calls of tools and reads of resources are counted on their own
  if (message.method !== 'tools/call' && message.method !== 'resources/read') checkReads(viewer, services)
  const isStreamed = takesTime(message)
  const call = { request, viewer, services }
  if (isStreamed) checkStreams(call)
  const server = serverFor(call)
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isStreamed,
    sessionIdGenerator: undefined,
  })
  await server.connect(transport)
  const close = () => {
    server.close().catch((error: unknown) => logError('mcp', error))
  }
  const left = Promise.withResolvers<never>()
  const leave = () => {
    close()
    // a transport that is closed answers no more
    left.reject(requestEnded())
  }
  if (request.signal.aborted) leave()
  request.signal.addEventListener('abort', leave, { once: true })
  const answered = transport.handleRequest(request, { parsedBody: message })
  const response = await Promise.race([answered, left.promise])
  if (!response.ok) {
    close()
    throw await refusalOf(response)
  }
  if (isStreamed) return countedResponse(call, response, close)
  close()
  response.headers.set('cache-control', 'no-store')
  return response
}

/** True when a message may be answered only after a while: its answer is a stream, which keeps the connection alive. */
const takesTime = ({ method, params }: Record<string, unknown>): boolean =>
  method === 'tools/call' && typeof params === 'object' && params !== null && 'name' in params
    ? params.name === 'send_message' || params.name === 'merge'
    : false

/** A refusal of the transport as one of Ramify's own. */
async function refusalOf(response: Response): Promise<RequestRefusedError> {
  const { error } = (await response.json()) as { error?: { message?: string } }
  const status = response.status === 406 || response.status === 415 ? response.status : 400
  return new RequestRefusedError(
    status,
    'invalid',
    error?.message ?? 'This is not a message of the protocol.',
  )
}

const shared = new AjvJsonSchemaValidator()

/** A server for one message of one person. */
function serverFor(call: Omit<McpCall, 'signal'>): Server {
  const server = new Server(
    { name: 'ramify', title: 'Ramify', version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: shared },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].filter(({ scope }) => mayUse(call.viewer, scope)).map(({ listed }) => listed),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, sendNotification }) => {
    const tool = tools.get(params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    const progressToken = params._meta?.progressToken
    return tool.call({
      ...call,
      signal,
      input: params.arguments ?? {},
      report(progress) {
        if (progressToken === undefined) return
        const told = { method: 'notifications/progress' as const, params: { ...progress, progressToken } }
        // a client that has left is not told
        sendNotification(told).catch(() => undefined)
      },
    })
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, { signal }) =>
    listResources({ ...call, signal }, params?.cursor),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
    readResource({ ...call, signal }, params.uri),
  )
  return server
}

const mayUse = ({ credential }: Viewer, scope: Tool['scope']): boolean =>
  credential.scopes?.includes(scope) ?? false
