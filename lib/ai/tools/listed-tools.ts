import type { JSONSchema7 } from 'ai'
import { isRecord } from '@/lib/events/is-record'
import { toolNameOf } from './tool-names'

/** The most of one tool: characters of its name, of its title, of its description, of the schema of its input. */
const MOST_NAME = 1000
const MOST_TITLE = 200
const MOST_WORDS = 4000
const MOST_SCHEMA = 50_000

/** A tool that a server has. */
export interface ServerTool {
  /** as it is offered to a model: `server__tool` */
  name: string
  /** as the server calls it */
  called: string
  title: string
  description: string
  inputSchema: JSONSchema7
}

/** One page of a server's list. */
interface ListedPage {
  tools: ServerTool[]
  /** undefined on the last page; an empty text is a cursor like any other */
  next: string | undefined
}

/**
 * Reads one answer to `tools/list`, entry by entry: an entry that cannot be called is left out, and a field that cannot be
 * used counts as absent.
 *
 * @param server the first part of the names
 * @returns undefined for an answer that holds no list
 */
export function toolsIn(server: string, answer: unknown): ListedPage | undefined {
  if (!isRecord(answer)) return undefined
  const { tools, nextCursor } = answer
  // a server written in Go sends null for an empty list
  if (tools !== null && !Array.isArray(tools)) return undefined
  return {
    tools: (tools ?? []).flatMap((entry: unknown) => toolOf(server, entry)),
    next: typeof nextCursor === 'string' ? nextCursor : undefined,
  }
}

function toolOf(server: string, entry: unknown): ServerTool | [] {
  if (!isRecord(entry)) return []
  const { name, title, description, annotations, inputSchema } = entry
  if (typeof name !== 'string' || name.trim() === '' || name.length > MOST_NAME || !name.isWellFormed())
    return []
  const schema = schemaOf(inputSchema)
  if (JSON.stringify(schema).length > MOST_SCHEMA) return []
  const titles = [title, isRecord(annotations) ? annotations.title : undefined, name]
  return {
    name: toolNameOf(server, name),
    called: name,
    title: (titles.find(isText) ?? name).slice(0, MOST_TITLE).toWellFormed(),
    description: isText(description) ? description.slice(0, MOST_WORDS).toWellFormed() : '',
    inputSchema: schema,
  }
}

/** The input of a tool as providers take it: always an object with properties. */
function schemaOf(given: unknown): JSONSchema7 {
  const { required, properties, ...rest } = isRecord(given) ? given : {}
  const named = isRecord(properties) ? Object.entries(properties) : []
  const schema: Record<string, unknown> = {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(named.map(([key, value]) => [key, isSchema(value) ? value : {}])),
  }
  if (Array.isArray(required)) schema.required = required.filter(isText)
  return schema as JSONSchema7
}

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isRecord(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
