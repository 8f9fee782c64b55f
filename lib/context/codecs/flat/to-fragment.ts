import { lastAssistantMessage } from '../../fragments'
import { hasFragmentFields, isPlainObject } from '../../fragments/guards'
import type { ContextFragment, FragmentData } from '../../fragments/types'
import { entriesFromJson, InvalidSerializedFragmentError, valueFromJson } from '../json-values'
import { messageCodec } from '../message-codec'
import { FIELDS, formOf, misfit, rowsOf } from './forms'

/** Reads flat JSON of a custom type, given whole as its codec encoded it. Its errors get the path. */
export type ReadFlat = (json: Readonly<Record<string, unknown>>) => ContextFragment

export interface ToFragmentOptions {
  /** By the `type` a codec of yours encodes. Built-in types cannot be replaced. */
  types?: Readonly<Record<string, ReadFlat>>
}

/** As deep as `fromFragment` writes, with its own wrappers counted. */
const MAX_DEPTH = 1024

/**
 * The fragment of flat JSON, as `fromFragment` wrote it or as another program did by its table.
 *
 * @param value parsed JSON, trusted for nothing
 * @throws InvalidSerializedFragmentError naming the path and what is wrong there: an unknown type, a missing or unknown
 * field, a value of another kind
 *
 * @example toFragment({ type: 'term', name: 'MRR', definition: 'monthly revenue' }) // term('MRR', 'monthly revenue')
 */
export function toFragment(value: unknown, { types = {} }: ToFragmentOptions = {}): ContextFragment {
  const read = (json: unknown, path: string, depth: number): ContextFragment => {
    if (depth > MAX_DEPTH) throw invalid(path, 'nested too deeply')
    if (!isPlainObject(json) || typeof json.type !== 'string')
      throw invalid(path, 'an object with a type was expected')
    const { type, ...fields } = json
    if (type === 'message') return readMessage(fields, path, depth)
    if (type === 'fragment') return readFields(fields, path, depth)
    if (type === 'last-assistant') return readLazy(fields, path)
    if (type === 'glossary') return readGlossary(fields, path)
    if (formOf(type)) return readHelper(type, fields, path, depth)
    if (!Object.hasOwn(types, type)) throw invalid(path, `unknown type ${JSON.stringify(type)}`)
    const values = entriesFromJson(fields, path, depth, nested)
    try {
      const made = types[type]?.({ type, ...values })
      if (made) return made
    } catch (error) {
      throw invalid(path, error instanceof Error ? error.message : String(error))
    }
    throw invalid(path, `no fragment was read of type ${JSON.stringify(type)}`)
  }

  const nested = (json: Record<string, unknown>, path: string, depth: number): ContextFragment => {
    const [other] = Object.keys(json).filter((key) => key !== '$fragment')
    if (other !== undefined) throw invalid(path, `unknown key ${JSON.stringify(other)} beside $fragment`)
    return read(json.$fragment, path, depth)
  }

  const readFields = (fields: Record<string, unknown>, path: string, depth: number): ContextFragment => {
    const fragment = entriesFromJson(fields, path, depth, nested)
    if (!hasFragmentFields(fragment)) throw invalid(path, 'name and data were expected')
    const [unknown] = Object.keys(fragment).filter((key) => !FIELDS.has(key))
    if (unknown !== undefined) throw invalid(`${path}.${unknown}`, 'an unknown field')
    return fragment
  }

  const readMessage = (fields: Record<string, unknown>, path: string, depth: number): ContextFragment => {
    const { message, ...rest } = fields
    if (message === undefined) throw invalid(`${path}.message`, 'the field is missing')
    const body = valueFromJson(message, `${path}.message`, depth + 1, nested)
    return { ...readFields(rest, path, depth), type: 'message', codec: messageCodec(body) }
  }

  const readHelper = (
    type: string,
    { id, ...fields }: Record<string, unknown>,
    path: string,
    depth: number,
  ): ContextFragment => {
    const form = formOf(type)
    const wrong = form && misfit(form, fields, isPlainObject)
    if (wrong) throw invalid(`${path}.${wrong.field}`, wrong.reason)
    const ordered = Object.keys(form?.fields ?? {}).flatMap((field) =>
      Object.hasOwn(fields, field)
        ? [[field, readField(fields[field], `${path}.${field}`, depth)] as const]
        : [],
    )
    const data = form?.content === undefined ? Object.fromEntries(ordered) : (ordered[0]?.[1] ?? null)
    return { ...idOf(id, path), name: type, data }
  }

  const readField = (value: unknown, path: string, depth: number): FragmentData => {
    if (typeof value === 'string') return value
    if (!Array.isArray(value)) throw invalid(path, 'a text or a list was expected')
    return value.map((item: unknown, index) =>
      typeof item === 'string' ? item : read(item, `${path}[${index}]`, depth + 1),
    )
  }

  return read(value, '$', 0)
}

function readGlossary({ id, entries, ...rest }: Record<string, unknown>, path: string): ContextFragment {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, 'an unknown field')
  if (!isPlainObject(entries)) throw invalid(`${path}.entries`, 'definitions by term were expected')
  const data = rowsOf(entries).map(({ term, definition }) => {
    if (typeof definition !== 'string') throw invalid(`${path}.entries.${term}`, 'a text was expected')
    return { term, definition }
  })
  return { ...idOf(id, path), name: 'glossary', data }
}

function readLazy({ content, ...rest }: Record<string, unknown>, path: string): ContextFragment {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, 'an unknown field')
  if (typeof content !== 'string') throw invalid(`${path}.content`, 'a text was expected')
  return lastAssistantMessage(content)
}

function idOf(id: unknown, path: string): { id?: string } {
  if (id === undefined) return {}
  if (typeof id !== 'string') throw invalid(`${path}.id`, 'a text was expected')
  return { id }
}

const invalid = (path: string, reason: string) => new InvalidSerializedFragmentError(path, reason)
