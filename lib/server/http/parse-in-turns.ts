import { Turns } from '@/lib/conversations'

/** Values between two looks at the clock. */
const LOOK = 200

type Container = unknown[] | Record<string, unknown>

/**
 * Parses JSON piece by piece, with the result of `JSON.parse`, so that other requests get their turn: a long
 * text would keep the process busy for seconds. Takes three times as long.
 *
 * @param json well-formed: a `JsonGate` has read it
 */
export async function parseInTurns(json: string): Promise<unknown> {
  const turns = new Turns()
  /** The lists and objects around the current place, outermost first. */
  const around: Container[] = []
  let root: unknown
  let key: string | undefined
  let at = 0
  for (let count = 1; ; count++) {
    const next = json.charCodeAt(at)
    if (next === OPEN_OBJECT || next === OPEN_LIST) {
      const opened: Container = next === OPEN_OBJECT ? {} : []
      place(opened)
      around.push(opened)
      at++
    } else if (next === CLOSE_OBJECT || next === CLOSE_LIST) {
      around.pop()
      at++
    } else if (next === QUOTE) {
      const end = endOfText(json, at)
      const text = JSON.parse(json.slice(at, end)) as string
      at = end
      const within = around.at(-1)
      if (key !== undefined || within === undefined || Array.isArray(within)) place(text)
      else key = text
    } else if (next === COMMA || next === COLON || isBlank(next)) {
      at++
      continue
    } else if (Number.isNaN(next)) {
      return root
    } else {
      bare.lastIndex = at
      const [word = ''] = bare.exec(json) ?? []
      place(JSON.parse(word))
      at += word.length
    }
    if (count % LOOK === 0) await turns.next()
  }

  function place(value: unknown): void {
    const within = around.at(-1)
    if (within === undefined) root = value
    else if (Array.isArray(within)) within.push(value)
    else if (key === '__proto__') {
      Object.defineProperty(within, key, { value, configurable: true, enumerable: true, writable: true })
    } else if (key !== undefined) within[key] = value
    key = undefined
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** A number, `true`, `false` or `null`. */
const bare = /[\w.+-]+/y

/** The place after the text that begins at a quote. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
}
