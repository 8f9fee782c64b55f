import { z } from 'zod'
import { instant, named } from './fields'

const approvals = ['always', 'ask', 'never'] as const

const serverName = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/,
    'A name has up to 32 letters, digits and hyphens, and begins with a letter or a digit',
  )
  .meta({ description: 'The first part of the names of its tools', examples: ['github'] })

/** A tool that can be switched on for a branch. */
const offeredTool = named(
  'Tool',
  z.object({
    name: z.string().meta({ examples: ['calculator', 'github__create_issue'] }),
    title: z.string(),
    description: z.string().meta({ description: 'As the model reads it' }),
    server: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'Null for a tool that comes with Ramify' }),
    input_schema: z.unknown().meta({ description: 'The JSON schema of its arguments' }),
    default_approval: z.enum(approvals).meta({ description: 'What to offer where a person chooses' }),
  }),
)

/** A server of tools and how it is. */
const offeredServer = named(
  'ToolServerState',
  z.object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    status: z.enum(['ok', 'unreachable', 'refused', 'unusable']),
    problem: z.string().optional().meta({ description: 'Why its tools are not listed' }),
  }),
)

export const toolList = named(
  'ToolList',
  z.object({ tools: z.array(offeredTool), servers: z.array(offeredServer) }),
)

/** The tools that a person can switch on, and where they come from. */
export type ToolList = z.infer<typeof toolList>

/** A server of tools, without its token. */
export const toolServer = named(
  'ToolServer',
  z.object({
    id: z.string(),
    name: serverName,
    url: z.string(),
    has_token: z.boolean(),
    readable: z.boolean().meta({
      description: 'False when the server’s secret has changed since: it has to be added again',
    }),
    created_at: instant,
  }),
)

export type ToolServer = z.infer<typeof toolServer>

const url = z.string().trim().max(500).refine(isServerUrl, 'An address like https://tools.example.org/mcp')

function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === ''
}

export const newToolServer = named(
  'AddToolServerRequest',
  z.strictObject({
    name: serverName,
    url: url.meta({ description: 'Where it speaks MCP over Streamable HTTP' }),
    token: z
      .string()
      .trim()
      .max(4000)
      .regex(/^[\x21-\x7e]*$/, 'A token has letters, digits and signs, without spaces')
      .optional()
      .meta({ description: 'Sent as a bearer token. It is encrypted, and never shown again' }),
  }),
)
