import { isUtf8 } from 'node:buffer'
import type { Json } from './values'

const BACKSLASH = 0x5c
const REPLACED = Buffer.from('fffd')

/** Puts \ufffd, in place, where the escape of a NUL or of half a character stands. True: there was one. */
function repairEscapes(bytes: Buffer): boolean {
  let repaired = false
  const unitAt = (at: number) =>
    bytes[at] === BACKSLASH && bytes[at + 1] === 0x75
      ? Number.parseInt(bytes.toString('latin1', at + 2, at + 6), 16)
      : -1
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== BACKSLASH) continue
    const unit = unitAt(at)
    const isHigh = unit >= 0xd800 && unit <= 0xdbff
    const next = isHigh ? unitAt(at + 6) : -1
    const isPair = next >= 0xdc00 && next <= 0xdfff
    if (unit === 0 || (unit >= 0xd800 && unit <= 0xdfff && !isPair)) {
      REPLACED.copy(bytes, at + 2)
      repaired = true
    }
    at += isPair ? 11 : unit === -1 ? 1 : 5
  }
  return repaired
}

/** A value without what no database stores; its bytes are changed. Null: they are no JSON. */
export function parse(bytes: Buffer): { value: Json; repaired: boolean } | null {
  // most chats have none
  const isOdd = ['\\u0000', '\\ud', '\\uD'].some((start) => bytes.includes(start)) && repairEscapes(bytes)
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as Json, repaired: isOdd || !isUtf8(bytes) }
  } catch {
    return null
  }
}

/** Letters that are looked through for the place of a slip. */
const MAX_LOOKED = 4 * 1024 * 1024

/** The place where JSON is broken: ` at line 1, column 98`; empty where that is far from its beginning. */
export function whereBroken(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, MAX_LOOKED)
  const place = placeOfSlip(text)
  if (place >= text.length && bytes.length > MAX_LOOKED) return ''
  const before = text.slice(0, place)
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return ` at line ${line.toLocaleString('en')}, column ${column.toLocaleString('en')}`
}

const token =
  /\s*(?:([{}[\],:])|("[^"\\\n\r\t]*(?:\\(?:["\\/bfnrt]|u[\da-f]{4})[^"\\\n\r\t]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null))/iy

/** The place of the first sign that no JSON has there. */
function placeOfSlip(text: string): number {
  /** Brackets that are open. */
  const open: string[] = []
  let wanted: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'next' = 'value'
  token.lastIndex = 0
  for (;;) {
    const start = token.lastIndex
    const match = token.exec(text)
    if (!match) return start + (/^\s*/.exec(text.slice(start, start + 1000))?.[0].length ?? 0)
    const [whole, sign, string] = match
    const place = match.index + whole.length - whole.trimStart().length
    const isValue = sign === undefined || sign === '{' || sign === '['
    if (sign === '}' || sign === ']') {
      const isEnd = wanted === 'next' || wanted === (sign === '}' ? 'key or end' : 'value or end')
      if (!isEnd || open.pop() !== (sign === '}' ? '{' : '[')) return place
      wanted = 'next'
    } else if (wanted === 'colon' && sign === ':') wanted = 'value'
    else if (wanted === 'next' && sign === ',' && open.length > 0)
      wanted = open.at(-1) === '{' ? 'key' : 'value'
    else if ((wanted === 'key' || wanted === 'key or end') && string !== undefined) wanted = 'colon'
    else if ((wanted === 'value' || wanted === 'value or end') && isValue) {
      if (sign !== undefined) open.push(sign)
      wanted = sign === '{' ? 'key or end' : sign === '[' ? 'value or end' : 'next'
    } else return place
  }
}
