import { z } from 'zod'

/** The schemas that have a name in the description of the API. */
export const namedSchemas = z.registry<{ id: string }>()

/** Gives a schema its name in the description of the API. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  namedSchemas.add(schema, { id })
  return schema
}

/** A string that names a thing: `id<ChatId>()`. */
export const id = <Id extends string>() => z.string() as unknown as z.ZodType<Id, Id>

/** True when Postgres can store a text as it is: without NUL, and without half of a character that JavaScript writes as two. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The name of a key, a preset, a passkey and the like: 1 to 100 characters. */
export const shortName = z.string().trim().min(1).max(100).refine(isStorable, 'A name is plain text')

/** A time of the HTTP commands, ISO 8601. */
export const instant = z.iso.datetime().meta({ examples: ['2026-03-14T09:26:53.589Z'] })

export const milliseconds = z.number().meta({ description: 'Milliseconds since 1970' })

/** A whole number in a query or a header. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Event numbers and depths are 32 bits wide. */
export const MAX_INT = 2 ** 31 - 1

/** True for the http address of a server: no name, password, query or fragment. */
export function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash, search } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}${search}` === ''
}
