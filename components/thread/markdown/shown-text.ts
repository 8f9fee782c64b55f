import { LayoutCost, layoutCost } from '@/lib/markdown/layout-cost'

/** Laying out more than this at once would be felt, in microseconds. */
const heavy = 40_000
/** Longer text is folded: the page is for reading, and this fills several screens of it. */
const maxWhole = 20_000
/** A piece is laid out when it comes into sight, by itself. */
const maxPiece = { cost: 6000, length: 4000 }
/** Limits of the part before the fold. */
const maxPreview = { length: 1200, lines: 16 }
/** Letters without a break after which a line may break all the same. */
const maxUnbroken = 100

/** True when a browser would need long to lay a text out as it is. */
export function isHeavy(text: string): boolean {
  return text.length > maxWhole || layoutCost(text) > heavy
}

/** Shorter text in a box is never heavy. */
const lightInBox = 1500

/** Looks of a text in a text area: unwrapped where wrapping it would take the browser seconds. */
export type AreaLook = 'wrapped' | 'unwrapped' | 'dots'

export function areaLook(text: string): AreaLook {
  const cost = text.length < lightInBox ? 0 : layoutCost(text)
  // combining marks by the thousand take as long on one line; the browser draws none of them behind dots
  if (cost === Number.POSITIVE_INFINITY) return 'dots'
  return cost > heavy ? 'unwrapped' : 'wrapped'
}

/** The beginning of a text, as much as stands before the fold; never half a surrogate pair. */
export function previewOf(text: string): string {
  let end = Math.min(text.length, maxPreview.length)
  let line = text.indexOf('\n')
  for (let lines = 1; line >= 0 && line < end; lines++) {
    if (lines === maxPreview.lines) end = line
    line = text.indexOf('\n', line + 1)
  }
  return text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
}

/**
 * A text in pieces that are each laid out in no time, cut at line ends where there are any, else at spaces, else
 * between two letters. The line end between two pieces belongs to none.
 */
export function piecesToShow(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    const { end, next } = endOfPiece(text, start)
    pieces.push(text.slice(start, end))
    start = next
  }
  return pieces
}

function endOfPiece(text: string, start: number): { end: number; next: number } {
  const cost = new LayoutCost()
  let [line, space] = [0, 0]
  const most = Math.min(text.length, start + maxPiece.length)
  for (let at = start; at < most; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) line = at
    else if (code === 32) space = at + 1
    cost.add(code)
    // marks beyond the drawn ones are left out, and cost nothing
    const isOver = cost.total > maxPiece.cost && cost.total !== Number.POSITIVE_INFINITY
    if (isOver && at > start) return cut(text, start, at, line, space)
  }
  return most === text.length ? { end: most, next: most } : cut(text, start, most, line, space)
}

function cut(text: string, start: number, at: number, line: number, space: number) {
  if (line > start) return { end: line, next: line + 1 }
  if (space > start) return { end: space, next: space }
  const isPair = isHighSurrogate(text.charCodeAt(at - 1)) && at - 1 > start
  return { end: isPair ? at - 1 : at, next: isPair ? at - 1 : at }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** A piece in parts between which a line may break: longer than that is no word of any language. */
export function breakableParts(piece: string): string[] {
  return piece.match(breakable) ?? []
}

const breakable = new RegExp(String.raw`(?:\s|\S{1,${maxUnbroken}}(?=\s|$))+|\S{1,${maxUnbroken}}`, 'gu')
