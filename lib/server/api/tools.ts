import 'server-only'
import { z } from 'zod'
import type { ToolServerError } from '@/lib/ai'
import { UnauthenticatedError } from '@/lib/auth'
import { newId } from '@/lib/events'
import { named } from '@/lib/protocol/fields'
import { newToolServer, type ToolServer, toolList, toolServer } from '@/lib/protocol/tools'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import type { StoredToolServer } from '@/lib/store'
import { checkKeyTests } from '../http/admit'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const example: ToolServer = {
  id: '0198f3c2',
  name: 'github',
  url: 'https://tools.example.org/mcp',
  has_token: true,
  readable: true,
  created_at: '2026-03-14T09:26:53.589Z',
}

/** A server as the browser gets it. */
export const encodeToolServer = ({
  id,
  name,
  url,
  hasToken,
  isReadable,
  createdAt,
}: StoredToolServer): ToolServer => ({
  id,
  name,
  url,
  has_token: hasToken,
  readable: isReadable,
  created_at: new Date(createdAt).toISOString(),
})

const statuses = {
  server_unreachable: 'unreachable',
  token_refused: 'refused',
  address_refused: 'refused',
  server_answer: 'unusable',
} as const satisfies Record<ToolServerError['code'], string>

export const listTools = defineOperation({
  id: 'listTools',
  method: 'get',
  path: '/api/tools',
  tag: 'Tools',
  summary: 'List tools',
  description:
    'The tools that you can switch on for a branch (`tools` of its context): those that come with Ramify, and those of your servers. Your servers are asked; a list is good for a minute.',
  output: {
    description: 'The tools, and your servers with what came of asking them.',
    schema: toolList,
    example: {
      tools: [
        {
          name: 'calculator',
          title: 'Calculator',
          description: 'Works out an arithmetic expression.',
          server: null,
          default_approval: 'always',
          input_schema: { type: 'object', properties: { expression: { type: 'string' } } },
        },
      ],
      servers: [{ id: example.id, name: example.name, url: example.url, status: 'ok' }],
    },
  },
  async use({ ownerId, services }) {
    const { tools, servers } = await services.tools.offered(ownerId)
    return {
      tools: tools.map(({ inputSchema, approval, name, title, description, server }) => ({
        name,
        title,
        description,
        server,
        input_schema: inputSchema,
        default_approval: approval,
      })),
      servers: servers.map(({ server: { id, name, url }, problem }) => ({
        id,
        name,
        url,
        status: problem ? statuses[problem.code] : ('ok' as const),
        ...(problem && { problem: problem.message }),
      })),
    }
  },
})

export const listToolServers = defineOperation({
  id: 'listToolServers',
  method: 'get',
  path: '/api/tool-servers',
  tag: 'Tools',
  summary: 'List tool servers',
  output: {
    description: 'Your servers of tools, without their tokens: they are never shown again.',
    schema: named('ToolServerList', z.object({ servers: z.array(toolServer) })),
    example: { servers: [example] },
  },
  use: async ({ ownerId, services }) => ({
    servers: (await services.toolServers.of(ownerId)).map(encodeToolServer),
  }),
})

export const addToolServer = defineOperation({
  id: 'addToolServer',
  method: 'post',
  path: '/api/tool-servers',
  tag: 'Tools',
  asks: 'session',
  summary: 'Add tool server',
  description:
    'Asks a server that speaks MCP over Streamable HTTP for its tools, and adds it if it has any. Its tools are offered to no model before you switch them on for a branch. The token is encrypted. An API key cannot do it: it would decide where parts of your prompts go. The servers of a guest end when the guest signs in to an account.',
  input: { body: newToolServer },
  example: { name: 'github', url: 'https://tools.example.org/mcp', token: 'your-token' },
  output: {
    status: 201,
    description: 'The server is added.',
    schema: named(
      'AddedToolServer',
      toolServer.extend({ tools: z.int().meta({ description: 'How many it has' }) }),
    ),
    example: { ...example, tools: 12 },
  },
  refusals: { name_taken: 'A tool server of this name exists already' },
  unfit: {
    server_unreachable: 'github could not be reached.',
    server_answer: 'github answered with an error (500). Check the address.',
    token_refused: 'github refused the token. Check that it is complete and active.',
    address_refused: 'This server reaches tools at public https addresses only.',
    too_many_servers: 'You have 20 tool servers, which is the most. Remove one first.',
  },
  async use({ request, viewer, ownerId, body: { name, url, token = '' }, services }) {
    checkKeyTests(ownerId, services.env.RAMIFY_RATE_LIMIT)
    const given = { id: newId(), name, url, token: token === '' ? undefined : token }
    const tools = await services.tools.test(given, request.signal)
    // the form was cancelled, or its page closed
    if (request.signal.aborted)
      throw new RequestRefusedError(408, 'request_ended', 'The request ended before the server was added.')
    const added = await services.toolServers.add(ownerId, given)
    // the account was deleted meanwhile
    if (!added) throw new UnauthenticatedError(viewer.credential.kind)
    const from = { person: ownerId, address: clientAddress(request) }
    audit('tool_server_added', { ...from, server: added.id, host: new URL(url).host })
    return { ...encodeToolServer(added), tools: tools.length }
  },
})

export const removeToolServer = defineOperation({
  id: 'removeToolServer',
  method: 'delete',
  path: '/api/tool-servers/{id}',
  tag: 'Tools',
  asks: 'session',
  names: 'Tool server',
  summary: 'Remove tool server',
  description: 'It needs a session.',
  input: { params: z.object({ id: z.string().meta({ description: 'The server' }) }) },
  output: { status: 204, description: 'The server is removed. None of its tools is offered any more.' },
  async use({ request, ownerId, params, services }) {
    await services.toolServers.remove(ownerId, params.id)
    audit('tool_server_removed', { person: ownerId, server: params.id, address: clientAddress(request) })
    return undefined
  },
})
