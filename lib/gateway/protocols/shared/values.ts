import { isRecord } from '@/lib/events/is-record'

// Answers of providers are read field by field: a field that is missing or of another type counts as not there.

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

/** The elements of a list; none for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text; undefined for anything else. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A number; undefined for anything else. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** JSON as a value; undefined for text that is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The arguments of a call: a text of JSON as its value. A text that is none stays as it is. */
export const argumentsOf = (sent: unknown): unknown =>
  typeof sent === 'string' ? (sent.trim() === '' ? {} : (parsed(sent) ?? sent)) : (sent ?? {})

/** Without the fields that have no value. */
export const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T
