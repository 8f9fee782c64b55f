import 'server-only'
import {
  type CallToolResult,
  type Tool as ListedTool,
  type ToolAnnotations,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { ZodError, z } from 'zod'
import type { Viewer } from '@/lib/auth'
import type { Ports } from '@/lib/conversations'
import { logError, onBehalfOf, type Services } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import type { KeyScope } from '@/lib/store'
import { admitUse } from '../http/admit'
import { toProblem } from '../http/problem'
import { noteRefusal } from '../http/refused-access'
import { adviceFor } from './advice'

/** The request in which tools are called and resources are read. */
export interface McpCall {
  request: Request
  viewer: Viewer
  services: Services
  /** fires when the client has left */
  signal: AbortSignal
}

/** Progress of a long call. */
export interface Progress {
  /** grows with every report */
  progress: number
  message: string
}

export interface ToolCall<Given> {
  /** reads stop when the client leaves; writes count for the client's network address */
  ports: Ports
  ownerId: string
  /** the key that the call brings */
  keyId: string | undefined
  /** the chat and branch that the headers of its request name; unlike in a call of a model, an empty one is refused */
  pinned: { chat: string | undefined; branch: string | undefined }
  /** as it came */
  given: unknown
  input: Given
  signal: AbortSignal
  /** the address of a page of this server */
  pageUrl(path: string): string
  /** tells a client that has asked for it */
  report(progress: Progress): void
}

interface ToolRecord<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string
  title: string
  /** when to use it, for a model */
  description: string
  scope: KeyScope
  hints?: ToolAnnotations
  input: Input
  output: Output
  use(call: ToolCall<z.output<Input>>): Promise<z.input<Output>>
  /** the same value as text, for clients that show a model no other */
  text(value: z.input<Output>): string
}

/** A tool of the MCP server: its entry in the list, and its code. */
export interface Tool {
  name: string
  scope: KeyScope
  listed: ListedTool
  /** never rejects: an error becomes a result with advice */
  call(call: McpCall & { input: unknown; report: (progress: Progress) => void }): Promise<CallToolResult>
}

/**
 * A tool. The record is its entry in the list, its validation and its result in two forms. Before `use` runs, the scopes
 * of the key allow it, it is within the person's rate, and its input is parsed.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  record: ToolRecord<Input, Output>,
): Tool {
  const { name, title, description, scope, hints, input, output, use, text } = record
  return {
    name,
    scope,
    listed: {
      name,
      title,
      description,
      inputSchema: objectSchema(input, 'input'),
      outputSchema: objectSchema(output, 'output'),
      annotations: { readOnlyHint: scope === 'read', openWorldHint: false, ...hints },
    },
    async call({ request, viewer, services, signal, input: given, report }) {
      try {
        admitUse(viewer, scope, services)
        const parsed = input.parse(given)
        const pageUrl = (path: string) =>
          `${ownOrigin(request.headers, services.env.BETTER_AUTH_URL) ?? ''}${path}`
        const { kind, id } = viewer.credential
        const call = {
          ownerId: viewer.id,
          keyId: kind === 'key' ? id : undefined,
          pinned: headerPin(request),
          given,
          input: parsed,
          signal,
          pageUrl,
          report,
        }
        const ports = portsOf(scope, { request, services, signal })
        const value = await onBehalfOf(viewer.id, () => use({ ...call, ports }))
        return { structuredContent: value, content: [{ type: 'text', text: text(value) }] }
      } catch (error) {
        noteRefusal(error, request)
        return { isError: true, content: [{ type: 'text', text: refusalText(error) }] }
      }
    },
  }
}

const headerPin = ({ headers }: Request) => ({
  chat: headers.get('x-ramify-chat') ?? undefined,
  branch: headers.get('x-ramify-branch') ?? undefined,
})

/** The ports of a call: reads end when the client leaves. */
export function portsOf(
  scope: KeyScope,
  { request, services, signal }: Pick<McpCall, 'request' | 'services' | 'signal'>,
): Ports {
  if (scope === 'write') return services.portsFor(clientAddress(request))
  const { reads, threads } = services.ports
  return { ...services.ports, reads: reads.until(signal), threads: threads.until(signal) }
}

/** Error, reason and advice for a model. An unexpected error is logged. */
function refusalText(error: unknown): string {
  if (error instanceof ZodError) return `The input is not valid. ${issuesText(error)}`
  const problem = toProblem(error)
  if (problem.status === 500) logError('mcp', error)
  const wait = problem.retry_after === undefined ? [] : [`Try again in ${problem.retry_after} seconds.`]
  return [problem.detail, ...wait, ...adviceFor(problem.code), `(${problem.code})`].join(' ')
}

const issuesText = ({ issues }: ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}.`)
    .join(' ')

/** The form in which clients of every age read a schema. */
const objectSchema = (schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, target: 'draft-7' })
  return ToolSchema.shape.inputSchema.parse(described)
}
