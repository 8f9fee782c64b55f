import { isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'

/** Number of bytes that reveal an encoding. */
const LOOKED_AT = 64 * 1024

/**
 * Decodes text of any encoding: by its mark, as UTF-8, as UTF-16 without a mark, or in the regional encoding
 * that its bytes suggest.
 *
 * @returns undefined for bytes that are not text
 */
export function decodeText(bytes: Buffer): string | undefined {
  const marked = markOf(bytes)
  if (marked) return decode(bytes, marked)
  if (bytes.includes(0)) {
    const encoding = unmarkedUtf16(bytes)
    const text = encoding && decode(bytes, encoding)
    return text && !hasControls(Array.from(text, (sign) => sign.charCodeAt(0))) ? text : undefined
  }
  if (isUtf8(bytes)) return decode(bytes, 'utf-8')
  if (hasControls(bytes)) return undefined
  for (const { name } of analyse(bytes.subarray(0, LOOKED_AT))) {
    const text = /^UTF/i.test(name) ? undefined : decode(bytes, name)
    if (text !== undefined) return text
  }
  return decode(bytes, 'windows-1252')
}

/** Control characters that stand in no text. A line end, a tab and the colours of a terminal do. */
const hasControls = (codes: Iterable<number>): boolean => {
  for (const code of codes)
    if ((code < 32 && !(code >= 9 && code <= 13) && code !== 27) || code === 127) return true
  return false
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** In UTF-16 of mostly Latin script, every other byte is 0, and no byte between is. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, LOOKED_AT)
  if (bytes.length % 2 !== 0) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even > 0 && odd > 0) return undefined
  if (Math.max(even, odd) < head.length / 5) return undefined
  return even === 0 ? 'utf-16le' : 'utf-16be'
}

/** Undefined: the bytes are no text of this encoding, or Node has no such encoding. */
function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}
