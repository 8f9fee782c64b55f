import type {
  AssistantContent,
  FilePart,
  ModelMessage,
  TextPart,
  ToolContent,
  ToolResultPart,
  UserContent,
} from 'ai'
import { z } from 'zod'
import type { AgentProtocol, AgentTool } from '../../agent-call'
import { type KeptPart, keptPart } from '../../kept'
import { CallRefusedError } from '../protocol'
import { type Fields, fieldsOf, given, textOf } from './values'

/** A thought of a model. */
export type ReasoningPart = Extract<Exclude<AssistantContent, string>[number], { type: 'reasoning' }>

/** A part of a person's words. */
export type UserPart = TextPart | FilePart | KeptPart
/** A part of a reply. */
export type AssistantPart = Exclude<AssistantContent, string>[number] | KeptPart

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

/** The messages, one by one. Each is read field by field: whatever it is, its provider may understand it. */
export const said = z.array(z.unknown())

/** A text as a part; none for an empty one. Undefined for a value that is no text. */
export function textPart(text: unknown): TextPart[] | undefined {
  if (typeof text !== 'string') return undefined
  return text === '' ? [] : [{ type: 'text', text }]
}

/** A file of a message, from a link or a `data:` link; undefined for a link that is none. */
export function fileOf(link: unknown, mediaType = 'image'): FilePart | undefined {
  if (typeof link !== 'string') return undefined
  const [, type, data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(link) ?? []
  if (data !== undefined) return { type: 'file', data, mediaType: type || mediaType }
  return URL.canParse(link) ? { type: 'file', data: new URL(link), mediaType } : undefined
}

/** Reads a block of content; undefined for a block that it does not understand. */
export type ReadBlock<Part> = (block: Fields) => Part[] | undefined

/** The parts of a content: each as it is understood, else kept as it came. */
export function partsOf<Part>(
  protocol: AgentProtocol,
  content: unknown,
  read: ReadBlock<Part>,
): (Part | TextPart | KeptPart)[] {
  if (content === undefined || content === null) return []
  const text = textPart(content)
  if (text) return text
  if (!Array.isArray(content)) return [keptPart(protocol, content)]
  return content.flatMap(
    (block): (Part | TextPart | KeptPart)[] =>
      textPart(block) ?? read(fieldsOf(block)) ?? [keptPart(protocol, block)],
  )
}

/** Instructions that are texts alone are one text. */
export function joinedTexts(parts: UserPart[]): UserPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? (textPart(texts.join('')) ?? []) : parts
}

/** A tool that a call offers; none without a name. */
export function toolWith(name: unknown, description: unknown, inputSchema: unknown): AgentTool[] {
  if (typeof name !== 'string') return []
  return [given({ name, description: textOf(description), inputSchema })]
}

/** Parts as the content of instructions or of a person's words: a text where it is one. */
const contentOf = (parts: readonly UserPart[]): string | readonly UserPart[] => {
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' ? only.text : parts
}

type ToolOutput = ToolResultPart['output']

/**
 * The output of a tool: a text, or with files in it a list.
 *
 * @param between separator of texts
 */
export function outputOf(parts: readonly UserPart[], between: string): ToolOutput {
  if (parts.every((part) => part.type === 'text'))
    return { type: 'text', value: parts.map((part) => part.text).join(between) }
  const value = parts.map((part) => {
    if (part.type !== 'file') return part
    const { data, mediaType } = part
    const held = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data }
    return { type: 'file', mediaType, data: held }
  })
  return { type: 'content', value } as ToolOutput
}

/** Messages in order, in which neighbours that belong together are one. */
export class MessageList {
  readonly messages: ModelMessage[] = []
  /** instructions before the first message */
  readonly system: string[] = []
  /** the items that each message was read from */
  readonly sources: unknown[][] = []
  /** the items before the first message */
  readonly head: unknown[] = []
  #source: unknown
  /** the names of the tools, by the ids of their calls */
  readonly #names = new Map<string, string>()

  /** Names the item that the next messages are read from. */
  from(item: unknown): void {
    this.#source = item
  }

  /** Notes an item that is no message of its own. */
  aside(): void {
    const at = this.messages.length - 1
    if (at === this.sources.length) this.sources.push([])
    const sources = this.sources[at] ?? this.head
    if (this.#source !== undefined && sources.at(-1) !== this.#source) sources.push(this.#source)
  }

  /** Adds instructions. Those before the first message are none of the conversation. */
  instruct(parts: readonly UserPart[]): void {
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    if (this.messages.length === 0 && texts.length === parts.length) this.system.push(...texts)
    else if (parts.length > 0) this.messages.push({ role: 'system', content: contentOf(parts) as string })
    this.aside()
  }

  /** Adds a message of the user. */
  user(content: string | readonly UserPart[]): void {
    this.messages.push({ role: 'user', content: content as UserContent })
    this.aside()
  }

  /** Adds a message of the assistant, to the one before where `joins` is set. */
  assistant(content: readonly AssistantPart[], { joins = false } = {}): void {
    for (const part of content) if (part.type === 'tool-call') this.#names.set(part.toolCallId, part.toolName)
    const last = this.messages.at(-1)
    // the AI SDK has no type for kept parts
    const parts = content as Exclude<AssistantContent, string>
    if (joins && last?.role === 'assistant' && typeof last.content !== 'string') last.content.push(...parts)
    else this.messages.push({ role: 'assistant', content: [...parts] })
    this.aside()
  }

  /** Adds what a tool gave back; the results of one turn are one message. */
  result({ id, output, name }: { id: string; output: ToolOutput; name?: string | undefined }): void {
    const toolName = this.#names.get(id) ?? name ?? 'unknown'
    this.#answer({ type: 'tool-result', toolCallId: id, toolName, output })
  }

  /** Adds an answer that is kept as it came. */
  keptResult(part: KeptPart): void {
    this.#answer(part as unknown as ToolContent[number])
  }

  #answer(part: ToolContent[number]): void {
    const last = this.messages.at(-1)
    if (last?.role === 'tool') last.content.push(part)
    else this.messages.push({ role: 'tool', content: [part] })
    this.aside()
  }
}

/** The identity of something that another call names: a text that says something. */
export const idOf = (value: unknown): string | undefined => textOf(value) || undefined
