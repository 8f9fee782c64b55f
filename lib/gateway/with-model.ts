/**
 * A JSON object with another name of a model, and not another byte changed: numbers, order and spaces stay as they are. A
 * field that stands twice is changed twice, since parsers differ in which one counts.
 *
 * @param json the text of an object whose field `model` is a text
 */
export function withModel(json: string, model: string): string {
  const name = JSON.stringify(model)
  const pieces: string[] = []
  let [kept, depth] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === OPEN_OBJECT || char === OPEN_LIST) depth++
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) depth--
    else if (char === QUOTE) {
      const end = endOfText(json, at)
      const value =
        depth === 1 && JSON.parse(json.slice(at, end)) === 'model' ? valueAfter(json, end) : undefined
      if (value !== undefined) {
        pieces.push(json.slice(kept, value), name)
        kept = endOfText(json, value)
      }
      at = Math.max(end, value === undefined ? 0 : kept) - 1
    }
  }
  return pieces.join('') + json.slice(kept)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** The place after the text that begins at a quote. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return json.length
}

/** Where the text begins that is the value of the key before; undefined where there is none. */
function valueAfter(json: string, end: number): number | undefined {
  const gap = /\s*:\s*(?=")/y
  gap.lastIndex = end
  return gap.test(json) ? gap.lastIndex : undefined
}
