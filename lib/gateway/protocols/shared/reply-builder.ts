import type { AssistantContent } from 'ai'
import type { AgentProtocol, AgentReply } from '../../agent-call'
import { keptPart } from '../../kept'
import { argumentsOf, type Fields } from './values'

type Part =
  | { type: 'text' | 'reasoning'; text: string; options?: Options }
  | { type: 'call'; id: string; name: string; input: string }
  | { type: 'kept'; protocol: AgentProtocol; item: Record<string, unknown>; input: string }

type Options = Record<string, Record<string, string>>
type Listed = Exclude<AssistantContent, string>[number]

/** Puts a reply together from its fragments. Parts stand in the order in which they begin. */
export class ReplyBuilder {
  readonly #parts = new Map<string, Part>()
  readonly #said: Omit<AgentReply, 'message'> = {}
  #whole = false
  #over = false

  /** Adds to a text, or to the model's thoughts, by the key of its part. */
  add(type: 'text' | 'reasoning', key: string, text: string): void {
    const part = this.#parts.get(key)
    if (part === undefined) this.#parts.set(key, { type, text })
    else if (part.type === type) part.text += text
  }

  /** Keeps what a provider wants back with a part: its signature, for example. */
  keep(key: string, options: Options): void {
    const part = this.#parts.get(key)
    if (part?.type === 'reasoning') part.options = options
    else if (part === undefined) this.#parts.set(key, { type: 'reasoning', text: '', options })
  }

  /** Begins a call of a tool, or names a call that has begun, and adds to its input. */
  call(key: string, { id, name, input = '' }: { id?: string; name?: string; input?: string }): void {
    const part = this.#parts.get(key)
    if (part === undefined) this.#parts.set(key, { type: 'call', id: id || key, name: name ?? '', input })
    else if (part.type === 'kept') part.input += input
    else if (part.type === 'call') {
      if (id) part.id = id
      if (part.name === '') part.name = name ?? ''
      part.input += input
    }
  }

  /** The whole input of a call, in place of its fragments. */
  callInput(key: string, input: string): void {
    const part = this.#parts.get(key)
    if (part?.type === 'call') part.input = input
  }

  /** Keeps an item that is not understood as it came, in place of its part so far. */
  item(key: string, protocol: AgentProtocol, item: Fields): void {
    const part = this.#parts.get(key)
    if (part === undefined || part.type === 'kept')
      this.#parts.set(key, { type: 'kept', protocol, item: { ...item }, input: '' })
  }

  /** Adds fields to an item that is kept: texts go on. */
  itemDelta(key: string, fields: Fields): void {
    const part = this.#parts.get(key)
    if (part?.type !== 'kept') return
    for (const [name, value] of Object.entries(fields)) {
      const held = part.item[name]
      part.item[name] = typeof held === 'string' && typeof value === 'string' ? `${held}${value}` : value
    }
  }

  /** Notes the provider's id of an item of the answer. */
  itemId(id: string | undefined): void {
    if (id === undefined) return
    const ids = this.#said.itemIds ?? []
    if (!ids.includes(id)) this.#said.itemIds = [...ids, id]
  }

  /** Notes what the answer says of itself; a field without a value changes nothing. */
  note({ usage, ...said }: Omit<AgentReply, 'message'>): void {
    for (const [name, value] of Object.entries(said))
      if (value !== undefined) Object.assign(this.#said, { [name]: value })
    if (!usage) return
    const known = Object.entries(usage).filter(([, tokens]) => tokens !== undefined)
    if (known.length > 0) this.#said.usage = { ...this.#said.usage, ...Object.fromEntries(known) }
  }

  /** The answer says that it is whole. */
  close(): void {
    this.#whole = true
  }

  /** The answer says that nothing more comes. */
  stop(): void {
    this.#over = true
  }

  /** The answer says that it is whole, and that nothing more comes. */
  end(): void {
    this.close()
    this.stop()
  }

  get isOver(): boolean {
    return this.#over
  }

  get isWhole(): boolean {
    return this.#whole
  }

  /** @param brokenOff why the answer ended; without it, an answer that was not closed is broken off all the same */
  reply(brokenOff?: string): AgentReply {
    const content = [...this.#parts.values()].flatMap(partOf)
    const why = this.#said.brokenOff ?? brokenOff ?? (this.#whole ? undefined : ENDED_EARLY)
    return {
      message: { role: 'assistant', content },
      ...this.#said,
      ...(why !== undefined && { brokenOff: why }),
    }
  }
}

const ENDED_EARLY = 'The answer of the provider ended before it was complete.'

function partOf(part: Part): Listed[] {
  if (part.type === 'call') {
    const { id: toolCallId, name: toolName } = part
    return [{ type: 'tool-call', toolCallId, toolName, input: argumentsOf(part.input) }]
  }
  if (part.type === 'kept') {
    const input = part.input.trim() === '' ? {} : { input: argumentsOf(part.input) }
    // the AI SDK has no type for kept parts
    return [keptPart(part.protocol, { ...part.item, ...input }) as unknown as Listed]
  }
  const { type, text, options } = part
  if (text === '' && options === undefined) return []
  return [{ type, text, ...(options && { providerOptions: options }) }]
}
