import { usageOf as tokensIn } from '@/lib/gateway/protocols/shared/openai'
import { isFailure, wholeNumber } from '@/lib/gateway/protocols/shared/reasons'
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '@/lib/gateway/protocols/shared/values'
import { ProviderSaidError } from './provider-said'
import type { WireReader } from './reader'

const statuses: ReadonlySet<unknown> = new Set(['in_progress', 'completed', 'incomplete'])
const ends = new Set(['response.completed', 'response.incomplete', 'response.done'])

const ANNOTATION = 'response.output_text.annotation.added'

/** Pieces of items, and the names by which the AI SDK reads them. */
const types: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'response.output_text.delta',
  'response.refusal.delta': 'response.output_text.delta',
  'response.reasoning_summary_part.added': 'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done': 'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.delta': 'response.reasoning_summary_text.delta',
  // open models send it: they hide no thoughts
  'response.reasoning_text.delta': 'response.reasoning_summary_text.delta',
  'response.function_call_arguments.delta': 'response.function_call_arguments.delta',
  'response.function_call_arguments.done': 'response.function_call_arguments.done',
}

/** The items that a piece may begin. */
const beginnings: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'message',
  'response.refusal.delta': 'message',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.reasoning_text.delta': 'reasoning',
}

/** Reads OpenAI's responses, as servers of all makes send them. */
export class ResponsesReader implements WireReader {
  /** the ids of the items that have begun, by their numbers */
  readonly #items = new Map<number, string>()
  #isDone = false
  #last = 0

  get state(): 'open' | 'done' {
    return this.#isDone ? 'done' : 'open'
  }

  take(value: unknown, event: string | undefined): object[] {
    const said = fieldsOf(value)
    if (said.object === 'response') return this.#whole(said)
    const type = textOf(said.type) ?? event ?? ''
    const response = fieldsOf(said.response)
    if (type === 'response.failed' || isFailure(value, event, type.startsWith('response.')))
      throw new ProviderSaidError(JSON.stringify(response.error ?? value))
    if (ends.has(type)) return this.#end(response)
    if (type === 'response.created')
      return [{ type, response: { ...namesOf(response), service_tier: textOf(response.service_tier) } }]
    if (!type.startsWith('response.') || type === 'response.in_progress') return []
    const at = wholeNumber(said.output_index) ?? this.#last
    this.#last = at
    if (type.startsWith('response.output_item.')) return this.#item(type, at, fieldsOf(said.item))
    const told = types[type]
    if (told === undefined) return type === ANNOTATION ? citationOf(said.annotation) : []
    const item_id = textOf(said.item_id) ?? this.#items.get(at) ?? `item_${at}`
    const begin = type in beginnings && !this.#items.has(at) ? this.#begin(type, at, item_id) : []
    const delta = textIn(said.delta ?? said.arguments)
    if (delta === undefined && !type.includes('_part.')) return []
    const summary_index = wholeNumber(said.summary_index) ?? 0
    return [...begin, { type: told, item_id, output_index: at, summary_index, delta, arguments: delta }]
  }

  /** An item that the server did not begin. */
  #begin(type: string, at: number, id: string): object[] {
    return this.#item('response.output_item.added', at, { type: beginnings[type], id })
  }

  failure(error: { type: string; message: string }): object {
    return { type: 'error', sequence_number: 0, error }
  }

  close(): object[] {
    return this.#isDone ? [] : this.#end({})
  }

  #item(type: string, at: number, item: Fields): object[] {
    const id = textOf(item.id) ?? this.#items.get(at) ?? textOf(item.call_id) ?? `item_${at}`
    const told = itemOf(item, id)
    if (told === undefined) return []
    this.#items.set(at, id)
    // the last word about a call without input
    if (type.endsWith('.done') && told.arguments === '') told.arguments = '{}'
    return [{ type, output_index: at, item: told }]
  }

  #end(response: Fields): object[] {
    // some servers send no words but these
    const rest = listOf(response.output).flatMap((item, at) =>
      this.#items.has(at) ? [] : this.#wholeItem(fieldsOf(item), at),
    )
    this.#isDone = true
    const reason = textOf(fieldsOf(response.incomplete_details).reason)
    const told = given({
      usage: usageOf(response.usage),
      service_tier: textOf(response.service_tier),
      incomplete_details: reason === undefined ? undefined : { reason },
    })
    const type = reason === undefined ? 'response.completed' : 'response.incomplete'
    return [...rest, { type, response: told }]
  }

  #whole(answer: Fields): object[] {
    if (answer.status === 'failed') throw new ProviderSaidError(JSON.stringify(answer.error ?? answer))
    return [{ type: 'response.created', response: namesOf(answer) }, ...this.#end(answer)]
  }

  #wholeItem(item: Fields, at: number): object[] {
    const added = this.#item('response.output_item.added', at, { ...item, arguments: '' })
    const item_id = this.#items.get(at)
    const piece = (type: string, more: object) => ({ type, item_id, output_index: at, ...more })
    const texts = listOf(item.type === 'reasoning' ? item.summary : item.content).map(fieldsOf)
    const words = texts.flatMap(({ text, refusal }, summary_index) => {
      const delta = textOf(text) ?? textOf(refusal)
      if (delta === undefined) return []
      if (item.type === 'message') return [piece('response.output_text.delta', { delta })]
      return item.type === 'reasoning'
        ? [piece('response.reasoning_summary_text.delta', { delta, summary_index })]
        : []
    })
    return [...added, ...words, ...this.#item('response.output_item.done', at, item)]
  }
}

/** A text, or an object as one. */
const textIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)

/** An item as the AI SDK reads it; undefined for one of a kind that is not asked for. */
function itemOf(item: Fields, id: string): Record<string, unknown> | undefined {
  const { type } = item
  if (type === 'message') return { type, id }
  if (type === 'reasoning') return { type, id, encrypted_content: textOf(item.encrypted_content) }
  if (type !== 'function_call') return undefined
  return {
    type,
    id,
    name: String(item.name ?? ''),
    call_id: textOf(item.call_id) ?? id,
    arguments: textIn(item.arguments) ?? '',
    status: statuses.has(item.status) ? item.status : 'completed',
  }
}

/** A source in the words; an incomplete source is passed over. */
function citationOf(value: unknown): object[] {
  const { type, url, title, start_index, end_index } = fieldsOf(value)
  if (type !== 'url_citation' || textOf(url) === undefined) return []
  const place = { start_index: numberOf(start_index) ?? 0, end_index: numberOf(end_index) ?? 0 }
  return [{ type: ANNOTATION, annotation: { type, url, title: textOf(title) ?? url, ...place } }]
}

const namesOf = ({ id, model, created_at }: Fields) => ({
  id: String(id ?? ''),
  model: String(model ?? ''),
  created_at: numberOf(created_at) ?? 0,
})

function usageOf(value: unknown): object | undefined {
  const tokens = tokensIn(value)
  if (tokens === undefined) return undefined
  const { input = 0, output = 0, cached, reasoning } = tokens
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: given({ cached_tokens: cached }),
    output_tokens_details: given({ reasoning_tokens: reasoning }),
  }
}
