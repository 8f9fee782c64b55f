import type { AssistantContent, FilePart, ModelMessage, ToolResultPart } from 'ai'
import { z } from 'zod'
import { CallRefusedError } from '../protocol'

/** What a model thought. */
export type ReasoningPart = Extract<Exclude<AssistantContent, string>[number], { type: 'reasoning' }>

/** The longest sentence that quotes a request. */
const MAX_SENTENCE = 300

/** A request by its schema. Throws `CallRefusedError`, which names the first field at fault. */
export function readShape<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const read = shape.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const param = issue?.path.map(String).join('.') || null
  const said = param === null ? (issue?.message ?? 'Invalid request') : `${param}: ${issue?.message}`
  throw new CallRefusedError(said.slice(0, MAX_SENTENCE), param)
}

/** A list of parts of which each has a type; the fields of a part are read by its type. */
export const parts = z.array(z.looseObject({ type: z.string() }))

/** A text, or a list of parts; absent where there is none. */
export const content = z.union([z.string(), parts]).nullish()

/**
 * A file of a message, from a link or a `data:` link.
 *
 * @param param the field that holds the link
 * @throws CallRefusedError for a link that is none
 */
export function fileOf(
  link: string,
  { param, mediaType = 'image' }: { param: string; mediaType?: string },
): FilePart {
  const [, type, data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(link) ?? []
  if (data !== undefined) return { type: 'file', data, mediaType: type || mediaType }
  if (!URL.canParse(link)) throw new CallRefusedError(`${param}: this is no link`, param)
  return { type: 'file', data: new URL(link), mediaType }
}

/** Messages in order, in which neighbours that belong together are one. */
export class MessageList {
  readonly messages: ModelMessage[] = []
  /** the names of the tools, by the ids of their calls */
  readonly #names = new Map<string, string>()

  /** Adds a message of the user. */
  user(content: Extract<ModelMessage, { role: 'user' }>['content']): void {
    this.messages.push({ role: 'user', content })
  }

  /** Adds a message of the assistant, to the one before where `joins` is set. */
  assistant(content: Exclude<AssistantContent, string>, { joins = false } = {}): void {
    for (const part of content) if (part.type === 'tool-call') this.#names.set(part.toolCallId, part.toolName)
    const last = this.messages.at(-1)
    if (joins && last?.role === 'assistant' && typeof last.content !== 'string') last.content.push(...content)
    else this.messages.push({ role: 'assistant', content: [...content] })
  }

  /** Adds what a tool gave back; the results of one turn are one message. */
  result({
    id,
    output,
    name,
  }: {
    id: string
    output: ToolResultPart['output']
    name?: string | undefined
  }): void {
    const toolName = this.#names.get(id) ?? name ?? 'unknown'
    const part: ToolResultPart = { type: 'tool-result', toolCallId: id, toolName, output }
    const last = this.messages.at(-1)
    if (last?.role === 'tool') last.content.push(part)
    else this.messages.push({ role: 'tool', content: [part] })
  }
}
