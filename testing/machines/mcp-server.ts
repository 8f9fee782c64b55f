import { createServer } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { close, listen } from './listen'

/** A tool of the server: what it answers, as text; what it throws is its error. */
export interface ServedTool {
  name: string
  description?: string
  run(input: Record<string, unknown>): string | Promise<string>
}

interface McpServerOptions {
  tools?: readonly ServedTool[]
  /** answers `tools/list` in place of a list of the tools: any JSON, however broken */
  list?(params: { cursor: string | undefined }): unknown
  /** every request must carry it as a bearer token */
  token?: string
  /** every request is answered with a redirect to here */
  redirect?: string
}

/** A server of tools that speaks MCP over Streamable HTTP, on a free local port. */
export type McpServer = Awaited<ReturnType<typeof startMcpServer>>

/** Starts a real server of tools. */
export async function startMcpServer({ tools = [], list, token, redirect }: McpServerOptions) {
  /** names of the tools that were called, oldest first */
  const calls: string[] = []
  const server = createServer(async (request, response) => {
    if (redirect !== undefined) return void response.writeHead(307, { location: redirect }).end()
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    const mcp = new Server({ name: 'tested', version: '1.0.0' }, { capabilities: { tools: {} } })
    mcp.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      // the SDK's own types know well-formed lists only
      if (list) return list({ cursor: params?.cursor }) as { tools: [] }
      return {
        tools: tools.map(({ name, description }) => ({
          name,
          description,
          inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
        })),
      }
    })
    mcp.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      calls.push(params.name)
      const tool = tools.find(({ name }) => name === params.name)
      try {
        const text = (await tool?.run(params.arguments ?? {})) ?? ''
        return { content: [{ type: 'text', text }] }
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: (error as Error).message }] }
      }
    })
    // each request has a session of its own: nothing is kept between them
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
    response.on('close', () => void transport.close().then(() => mcp.close()))
    // the SDK's own types differ here in what may be undefined
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0])
    await transport.handleRequest(request, response)
  })
  return { url: `http://127.0.0.1:${await listen(server)}/mcp`, calls, close: () => close(server) }
}
