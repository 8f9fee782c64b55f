/**
 * A JSON object with another name of a model, and not another byte changed: numbers, order and spaces stay as they are. A
 * field that stands twice is changed twice, since parsers differ in which one counts.
 *
 * @param json the text of an object whose field `model` is a text
 */
export function withModel(json: string, model: string): string {
  const name = JSON.stringify(model)
  const pieces: string[] = []
  let kept = 0
  for (const [from, to] of namesIn(json)) {
    // a text that stays as it is is sent without a copy of it
    if (json.slice(from, to) === name) continue
    pieces.push(json.slice(kept, from), name)
    kept = to
  }
  return pieces.length === 0 ? json : pieces.join('') + json.slice(kept)
}

/**
 * The model that a JSON object asks for first; undefined where its name does not stand whole in the text.
 *
 * @param json the beginning of an object
 */
export function modelIn(json: string): string | undefined {
  for (const [from, to] of namesIn(json)) return JSON.parse(json.slice(from, to)) as string
  return undefined
}

/** Places of the values of the field `model`, in an object that may be cut off. */
function* namesIn(json: string): Generator<[from: number, to: number]> {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === OPEN_OBJECT || char === OPEN_LIST) depth++
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) depth--
    else if (char === QUOTE) {
      let end = endOfText(json, at)
      if (end === undefined) return
      if (depth === 1 && JSON.parse(json.slice(at, end)) === 'model') {
        const value = valueAfter(json, end)
        if (value !== undefined) {
          end = endOfText(json, value)
          if (end === undefined) return
          yield [value, end]
        }
      }
      at = end - 1
    }
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** The place after the text that begins at a quote; undefined where it has no end. */
function endOfText(json: string, from: number): number | undefined {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return undefined
}

/** The place of the text that is the value of the key before; undefined where there is none. */
function valueAfter(json: string, end: number): number | undefined {
  const gap = /\s*:\s*(?=")/y
  gap.lastIndex = end
  return gap.test(json) ? gap.lastIndex : undefined
}
