import { usageOf as tokensIn } from '@/lib/gateway/protocols/shared/openai'
import { isFailure, wholeNumber } from '@/lib/gateway/protocols/shared/reasons'
import { type Fields, fieldsOf, given, listOf, parsed, textOf } from '@/lib/gateway/protocols/shared/values'
import { ProviderSaidError } from './provider-said'
import type { WireReader } from './reader'

/** The parts of a reply that the AI SDK reads; others are passed over. */
const blocks = new Set([
  ...['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'compaction', 'fallback'],
  ...['mcp_tool_use', 'mcp_tool_result', 'web_fetch_tool_result', 'web_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result', 'tool_search_tool_result'],
  ...['text_editor_code_execution_tool_result', 'advisor_tool_result'],
])

/** The field of a piece that must be a text. */
const texts: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
}
const otherDeltas = new Set(['compaction_delta', 'citations_delta'])

/** Reads Anthropic's messages, as servers of all makes send them. */
export class MessagesReader implements WireReader {
  /** the parts that have begun, by their numbers; false for a part that is passed over */
  readonly #begun = new Map<number, boolean>()
  #last = 0
  #isOpen = false
  #hasReason = false
  #isDone = false

  get state(): 'open' | 'finished' | 'done' {
    if (this.#isDone) return 'done'
    return this.#hasReason ? 'finished' : 'open'
  }

  take(value: unknown, event: string | undefined): object[] {
    const said = fieldsOf(value)
    const type = textOf(said.type) ?? event
    const isReply = type !== undefined && type !== 'error' && type in this.#readers
    if (isFailure(value, event, isReply)) throw new ProviderSaidError(JSON.stringify(value))
    if (type === 'message') return this.#whole(said)
    return isReply ? (this.#readers[type]?.(said) ?? []) : []
  }

  close(): object[] {
    if (this.#isDone) return []
    this.#isDone = true
    const ends = [...this.#begun].flatMap(([index, isKnown]) =>
      isKnown ? [{ type: 'content_block_stop', index }] : [],
    )
    const reason = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 0 } }
    return [...ends, ...(this.#hasReason ? [] : [reason]), { type: 'message_stop' }]
  }

  failure(error: { type: string; message: string }): object {
    return { type: 'error', error }
  }

  readonly #readers: Readonly<Record<string, (said: Fields) => object[]>> = {
    message_start: ({ message }) => this.#start(fieldsOf(message)),
    content_block_start: (said) => this.#beginBlock(this.#numberOf(said.index), fieldsOf(said.content_block)),
    content_block_delta: (said) => this.#addTo(this.#numberOf(said.index), fieldsOf(said.delta)),
    content_block_stop: (said) => this.#endBlock(this.#numberOf(said.index)),
    message_delta: (said) => this.#noteEnd(fieldsOf(said.delta), said),
    message_stop: () => this.close(),
  }

  #start({ id, model, role, usage }: Fields): object[] {
    if (this.#isOpen) return []
    this.#isOpen = true
    const message = given({ id: textOf(id), model: textOf(model), role: textOf(role) })
    return [{ type: 'message_start', message: { ...message, usage: usageOf(usage, 'input_tokens') } }]
  }

  #beginBlock(index: number, block: Fields): object[] {
    const type = String(block.type)
    this.#last = index
    this.#begun.set(index, blocks.has(type))
    if (!blocks.has(type)) return []
    const begin = (content_block: object) => ({ type: 'content_block_start', index, content_block })
    const rest = (delta: object) => ({ type: 'content_block_delta', index, delta })
    if (type === 'text') {
      const text = textOf(block.text) ?? ''
      return [begin({ type, text: '' }), ...(text === '' ? [] : [rest({ type: 'text_delta', text })])]
    }
    if (type === 'thinking') {
      const [thinking, signature] = [textOf(block.thinking) ?? '', textOf(block.signature) ?? '']
      return [
        begin({ type, thinking: '' }),
        ...(thinking === '' ? [] : [rest({ type: 'thinking_delta', thinking })]),
        ...(signature === '' ? [] : [rest({ type: 'signature_delta', signature })]),
      ]
    }
    if (type !== 'tool_use') return [begin(block)]
    const input = typeof block.input === 'string' ? parsed(block.input) : block.input
    const id = String(block.id ?? `toolu_${crypto.randomUUID()}`)
    return [begin({ ...block, id, name: String(block.name ?? ''), input: fieldsOf(input) })]
  }

  #addTo(index: number, delta: Fields): object[] {
    const type = String(delta.type)
    const field = texts[type]
    if (this.#begun.get(index) === false || (field === undefined && !otherDeltas.has(type))) return []
    const begin = this.#begun.has(index) ? [] : this.#beginBlock(index, blockOf(type))
    if (!this.#begun.get(index)) return []
    if (field === undefined) return [...begin, { type: 'content_block_delta', index, delta }]
    const raw = delta[field]
    const text = typeof raw === 'object' && raw !== null ? JSON.stringify(raw) : textOf(raw)
    return text === undefined
      ? begin
      : [...begin, { type: 'content_block_delta', index, delta: { type, [field]: text } }]
  }

  #endBlock(index: number): object[] {
    const isKnown = this.#begun.get(index)
    this.#begun.delete(index)
    return isKnown ? [{ type: 'content_block_stop', index }] : []
  }

  #noteEnd(delta: Fields, { usage, context_management }: Fields): object[] {
    const reason = textOf(delta.stop_reason) || undefined
    this.#hasReason ||= reason !== undefined
    const kept = { ...delta, stop_reason: reason, stop_sequence: textOf(delta.stop_sequence) }
    return [
      { type: 'message_delta', delta: kept, usage: usageOf(usage, 'output_tokens'), context_management },
    ]
  }

  #whole(answer: Fields): object[] {
    const parts = listOf(answer.content).flatMap((block, index) => [
      ...this.#beginBlock(index, fieldsOf(block)),
      ...this.#endBlock(index),
    ])
    const end = this.#noteEnd({ stop_reason: answer.stop_reason ?? 'end_turn' }, answer)
    return [...this.#start(answer), ...parts, ...end, ...this.close()]
  }

  #numberOf(index: unknown): number {
    return wholeNumber(index) ?? this.#last
  }
}

/** The part that a piece belongs to, where the server did not begin one. */
const blockOf = (delta: string): Fields =>
  delta === 'thinking_delta' ? { type: 'thinking' } : { type: delta === 'text_delta' ? 'text' : 'unknown' }

/** Counted tokens: the fields that are numbers, and the count that the AI SDK must have. */
function usageOf(usage: unknown, needed: 'input_tokens' | 'output_tokens'): object {
  const tokens = tokensIn(usage)
  const counts = Object.entries(fieldsOf(usage)).filter(([, value]) => typeof value === 'number')
  return {
    ...Object.fromEntries(counts),
    ...(tokens && { input_tokens: tokens.input }),
    [needed]: (needed === 'input_tokens' ? tokens?.input : tokens?.output) ?? 0,
  }
}
