import { isRecord } from '@/lib/events/is-record'
import { extentOf } from './split-json'

/** A value of parsed JSON, of which nothing is known yet. */
export type Json = unknown
export type JsonRecord = Record<string, unknown>

export { isRecord }

/** The record at a key; an empty one where there is none. */
export const recordAt = (value: Json, key: string): JsonRecord => {
  const found = isRecord(value) ? value[key] : undefined
  return isRecord(found) ? found : {}
}

export const listAt = (value: Json, key: string): Json[] => {
  const found = isRecord(value) ? value[key] : undefined
  return Array.isArray(found) ? found : []
}

/** The text at a key; null where there is none or only blanks. */
export const textAt = (value: Json, key: string): string | null => {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === 'string' && found.trim() !== '' ? found : null
}

/** An id as text: some programs number their messages. */
export const idOf = (value: Json): string | null => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Deeper values are kept as their JSON, because what stores and draws them goes down level by level. */
const MAX_VALUE_DEPTH = 48

/** The input or output of a tool as it is stored. */
export function plainValue(value: Json): Json {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  return isDeeperThan(value, MAX_VALUE_DEPTH) ? cleanText(jsonText(value)) : cleanDeep(value)
}

/** JSON of a value that may be deeper than `JSON.stringify` goes. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return deepText(value)
  }
}

function deepText(value: Json): string {
  const pieces: string[] = []
  /** Pieces that are not written yet, last first: signs as they are, values in a list of one. */
  const waiting: (string | [Json])[] = [[value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      pieces.push(next)
      continue
    }
    const [item] = next
    if (typeof item !== 'object' || item === null) {
      pieces.push(JSON.stringify(item) ?? 'null')
      continue
    }
    const isList = Array.isArray(item)
    pieces.push(isList ? '[' : '{')
    waiting.push(isList ? ']' : '}')
    const entries = Object.entries(item)
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const [key, inner] = entries[at] as [string, Json]
      waiting.push([inner])
      if (!isList) waiting.push(`${JSON.stringify(key)}:`)
      if (at > 0) waiting.push(',')
    }
  }
  return pieces.join('')
}

function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value]
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}

function cleanDeep(value: Json): Json {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanDeep(item)]))
}

/** A text without what no database stores: NUL, and halves of characters. */
export const cleanText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text).toWellFormed()

/** Values of a text in a chat that is JSON itself: the limits of the chat do not count them. A longer one stays a text. */
const MAX_TEXT_VALUES = 20_000

/** Parsed JSON of a text, or the text: programs write a tool's input in both ways. */
export function maybeJson(value: Json): Json {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (!/^[[{"\d-]|^(true|false|null)$/.test(text)) return value
  if (extentOf(Buffer.from(text)).count > MAX_TEXT_VALUES) return value
  try {
    return JSON.parse(text) as Json
  } catch {
    return value
  }
}

const [EARLIEST, LATEST] = [Date.UTC(1995, 0, 1), Date.UTC(2200, 0, 1)]

/**
 * A time in any of the forms that exports have: seconds or milliseconds since 1970, also as text, and ISO 8601, in UTC where
 * it names no zone; or one of these in `$date`, as MongoDB writes it. Null: there is none. 'wrong': it is none, or one at which no chat was written.
 */
export function dateOf(value: Json): Date | 'wrong' | null {
  if (value === undefined || value === null || value === '') return null
  const time = timeOf(value)
  return time >= EARLIEST && time < LATEST ? new Date(time) : 'wrong'
}

function timeOf(value: Json): number {
  if (isRecord(value)) return timeOf(value.$date ?? value.$numberLong ?? Number.NaN)
  if (typeof value === 'number') return inMilliseconds(value)
  if (typeof value !== 'string') return Number.NaN
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return inMilliseconds(Number(text))
  const hasZone = /(z|[+-]\d\d:?\d\d|gmt.*|utc)$/i.test(text)
  return Date.parse(
    hasZone ? text.replace(' ', /^\d{4}-\d\d-\d\d \d/.test(text) ? 'T' : ' ') : `${text.replace(' ', 'T')}Z`,
  )
}

/** Seconds stay below this until the year 5138, and milliseconds are above it since 1973. */
const inMilliseconds = (time: number): number => {
  if (time < 1e11) return time * 1000
  return time < 1e14 ? time : time / 1000
}
