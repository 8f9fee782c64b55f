import { CallReader, callsIn } from '@/lib/gateway/protocols/chat-completions/call-reader'
import { usageOf as tokensIn } from '@/lib/gateway/protocols/shared/openai'
import { isFailure } from '@/lib/gateway/protocols/shared/reasons'
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '@/lib/gateway/protocols/shared/values'
import { ProviderSaidError } from './provider-said'
import type { WireReader } from './reader'

/** The content of a whole answer, as the AI SDK reads it. */
export type WholeAnswer = Readonly<Record<string, unknown>>

/** Reads OpenAI's chat completions, as servers of all makes send them. */
export class ChatReader implements WireReader {
  readonly #calls = new CallReader()
  #word: string | undefined
  #hasSpoken = false

  get state(): 'open' | 'finished' {
    return this.#word === undefined ? 'open' : 'finished'
  }

  take(value: unknown, event: string | undefined): object[] {
    const chunk = fieldsOf(value)
    const choice = firstChoice(chunk.choices)
    if (isFailure(value, event, choice !== undefined)) throw new ProviderSaidError(JSON.stringify(value))
    const word = finishWord(choice?.finish_reason)
    if (word === 'error') throw new ProviderSaidError(JSON.stringify(value))
    this.#word = word ?? this.#word
    const said = choice && this.#saidIn(choice)
    const usage = usageOf(chunk.usage ?? choice?.usage ?? fieldsOf(chunk.x_groq).usage)
    if (word === undefined && said === undefined && usage === undefined) return []
    return [
      {
        ...chunk,
        id: textOf(chunk.id),
        model: textOf(chunk.model),
        created: numberOf(chunk.created),
        usage,
        error: undefined,
        choices: choice ? [{ index: 0, delta: said ?? {}, finish_reason: word }] : [],
      },
    ]
  }

  close(): object[] {
    const calls = this.#calls.end()
    // a server may name another reason with calls of tools, or none with [DONE]
    const word = this.#calls.isEmpty ? (this.#word ?? 'stop') : 'tool_calls'
    const choice = { index: 0, delta: calls.length > 0 ? { tool_calls: calls } : {}, finish_reason: word }
    return calls.length > 0 || word !== this.#word ? [{ choices: [choice] }] : []
  }

  failure(error: { type: string; message: string }): object {
    return { error }
  }

  /** The part of a choice that adds to the reply. */
  #saidIn(choice: Fields): Fields | undefined {
    const piece = pieceOf(choice)
    // some servers end with the whole text that they have sent in pieces
    const isWhole = piece !== undefined && choice.delta !== piece
    if (piece === undefined || (isWhole && this.#hasSpoken)) return undefined
    const calls = callsIn(piece).flatMap((call) => this.#calls.take(call))
    const content = contentOf(piece.content)
    const thought = thoughtOf(piece)
    const refusal = textOf(piece.refusal) || undefined
    if (content !== undefined || thought !== undefined || refusal !== undefined || calls.length > 0)
      this.#hasSpoken = true
    const { role: _role, reasoning: _reasoning, thinking: _thinking, function_call: _call, ...rest } = piece
    return {
      ...rest,
      content,
      refusal,
      reasoning_content: thought,
      tool_calls: calls.length > 0 ? calls : undefined,
    }
  }
}

/** The choice that is the reply. */
function firstChoice(value: unknown): Fields | undefined {
  const choices = Array.isArray(value) ? value : [value]
  const objects = choices.filter((choice) => fieldsOf(choice) === choice).map(fieldsOf)
  return (
    objects.find(({ index }) => (index ?? 0) === 0) ?? (numberOf(objects[0]?.index) ? undefined : objects[0])
  )
}

/** The piece in a choice: of a stream, of a whole answer, or a bare text. */
function pieceOf({ delta, message, text }: Fields): Fields | undefined {
  for (const piece of [delta, message]) {
    if (typeof piece === 'string') return { content: piece }
    if (fieldsOf(piece) === piece) return fieldsOf(piece)
  }
  return typeof text === 'string' ? { content: text } : undefined
}

/** Text, or a list of parts, that holds something. */
function contentOf(content: unknown): unknown {
  if (typeof content === 'number') return String(content)
  if (typeof content === 'string') return content === '' ? undefined : content
  const parts = (Array.isArray(content) ? content : [content]).flatMap((part): object[] => {
    if (typeof part === 'string') return [{ type: 'text', text: part }]
    const { type, text } = fieldsOf(part)
    if (typeof type === 'string') return [fieldsOf(part)]
    return typeof text === 'string' ? [{ type: 'text', text }] : []
  })
  return parts.length > 0 ? parts : undefined
}

/** The thoughts in a piece, under any of their names. */
const thoughtOf = (piece: Fields): string | undefined =>
  [piece.reasoning_content, piece.reasoning, piece.thinking].map(textOf).find((thought) => thought)

const words: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:stop|stop_sequence|end|end_turn|eos|eos_token|complete|completed|finish|finished|done|true)$/,
    'stop',
  ],
  [/^(?:length|max_tokens|max_length|max_output_tokens|model_length|token_limit)$/, 'length'],
  [/^(?:tool_calls?|tool_use|function_calls?)$/, 'tool_calls'],
  [
    /^(?:content_filter(?:ed)?|safety|refusal|sensitive|recitation|blocklist|prohibited_content)$/,
    'content_filter',
  ],
  [/^(?:error|insufficient_system_resource)$/, 'error'],
]

/** Why a reply ended, in the words of the protocol; undefined where it goes on. A word that is not known ends a reply too. */
function finishWord(reason: unknown): string | undefined {
  if (reason === null || reason === undefined || reason === false || reason === '') return undefined
  const word = String(fieldsOf(reason).type ?? reason).trim()
  const known = word.toLowerCase().replaceAll(/[-\s]/g, '_')
  if (known === 'null' || known === 'none' || known === '') return undefined
  return words.find(([pattern]) => pattern.test(known))?.[1] ?? word
}

/** Counted tokens as the AI SDK reads them; all other fields stay. */
function usageOf(value: unknown): object | undefined {
  const tokens = tokensIn(value)
  if (tokens === undefined) return undefined
  const { input = 0, output = 0, cached, reasoning } = tokens
  return {
    ...fieldsOf(value),
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details: reasoning === undefined ? undefined : { reasoning_tokens: reasoning },
  }
}

/** A whole answer made of the events of a stream. */
export function wholeOf(events: readonly object[]): WholeAnswer {
  const whole: Record<string, unknown> = {}
  const texts = { content: '', reasoning_content: '' }
  const parts: object[] = []
  const rest: Record<string, unknown> = {}
  const calls = new Map<unknown, { id?: unknown; name: string; arguments: string; extra_content?: unknown }>()
  let word: unknown
  for (const event of events.map(fieldsOf)) {
    const [choice] = listOf(event.choices).map(fieldsOf)
    Object.assign(whole, given({ ...event }))
    word = choice?.finish_reason ?? word
    const { content, reasoning_content, tool_calls, ...more } = fieldsOf(choice?.delta)
    Object.assign(rest, given({ ...more }))
    if (Array.isArray(content)) parts.push(...content)
    else texts.content += textOf(content) ?? ''
    texts.reasoning_content += textOf(reasoning_content) ?? ''
    for (const call of listOf(tool_calls).map(fieldsOf)) {
      const called = fieldsOf(call.function)
      const begun = calls.get(call.index) ?? {
        id: call.id,
        name: '',
        arguments: '',
        extra_content: call.extra_content,
      }
      begun.name ||= String(called.name ?? '')
      begun.arguments += String(called.arguments ?? '')
      calls.set(call.index, begun)
    }
  }
  const made = [...calls.values()].map(({ id, extra_content, ...called }) => ({
    id,
    function: called,
    extra_content,
  }))
  const message = {
    ...rest,
    role: 'assistant',
    content: parts.length > 0 ? [...parts, { type: 'text', text: texts.content }] : texts.content,
    reasoning_content: texts.reasoning_content,
    tool_calls: made.length > 0 ? made : undefined,
  }
  return { ...whole, choices: [{ index: 0, message, finish_reason: word }] }
}
