// Text for the picture of a graph: escaped for SVG, and broken into lines that fit.

/** Characters that XML does not allow, escaped or not, such as lone surrogates. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text escaped for XML elements and attributes; characters that XML does not allow are left out. */
export const xml = (text: string): string =>
  text.replace(unwritable, '').replace(/[&<>"']/g, (sign) => entities[sign] ?? '')

/** Width of a text in px, in letters of a size and weight. */
export type Measure = (text: string, fontSize: number, weight?: number) => number

interface Room {
  measure: Measure
  width: number
  fontSize: number
  weight?: number
  lines: number
}

/** Text in lines of at most `width` px, broken between words where possible; the rest is cut off. */
export function fitText(text: string, { measure, width, fontSize, weight, lines: most }: Room): string[] {
  const fits = (line: string) => measure(line, fontSize, weight) <= width
  const lines: string[] = []
  let rest = text.replace(/\s+/g, ' ').trim()
  while (rest !== '' && lines.length < most) {
    if (fits(rest)) return [...lines, rest]
    const isLast = lines.length === most - 1
    const letters = [...rest]
    let end = 0
    for (let line = ''; end < letters.length; end++) {
      line += letters[end]
      if (!fits(isLast ? `${line}…` : line)) break
    }
    const line = letters.slice(0, Math.max(1, end)).join('')
    const space = line.lastIndexOf(' ')
    const broken = !isLast && space > 0 ? line.slice(0, space) : line
    lines.push(isLast ? `${broken.trimEnd()}…` : broken)
    rest = rest.slice(broken.length).trimStart()
  }
  return lines
}
