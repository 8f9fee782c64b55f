import type { Range } from '@/lib/graph/diff/diff-words'
import { piecesOf } from '@/lib/graph/diff/pieces'

/** The marks of a text. Plain data: Streamdown keeps a parser for each value. */
export interface Marking {
  tag: 'ins' | 'del'
  ranges: readonly Range[]
}

/** The parts of a HAST node that are needed here. */
export interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
  position?: { start: { offset?: number }; end: { offset?: number } }
}

/**
 * A rehype plugin that marks words of rendered Markdown by their place in its source. Markdown's own marks are not part
 * of the rendered text, so a change to them alone marks nothing.
 */
export function markWords({ tag, ranges }: Marking) {
  return (tree: HastNode, file: { value: unknown }): void => {
    const source = String(file.value)
    const walk = (node: HastNode, around: HastNode['position']) => {
      const position = node.position ?? around
      node.children = node.children?.flatMap((child) => {
        if (child.type !== 'text') {
          walk(child, position)
          return [child]
        }
        // a fenced block's text has no place of its own, only its block has
        return markedText(child, child.position ?? (node.tagName === 'code' ? position : undefined))
      })
    }
    const markedText = (node: HastNode, position: HastNode['position']): HastNode[] => {
      const [start, end] = [position?.start.offset, position?.end.offset]
      const value = node.value ?? ''
      if (start === undefined || end === undefined || value.trim() === '') return [node]
      const pieces = piecesOf(value, rangesIn(value, source.slice(start, end), start, ranges))
      return pieces.map(({ text, marked }) =>
        marked && text.trim() !== ''
          ? {
              type: 'element',
              tagName: tag,
              properties: { dataWords: '' },
              children: [{ type: 'text', value: text }],
            }
          : { type: 'text', value: text },
      )
    }
    walk(tree, undefined)
  }
}

/** Ranges of the source as ranges of the text that was made from a part of it. */
function rangesIn(value: string, source: string, start: number, ranges: readonly Range[]): Range[] {
  const near = ranges.filter((range) => range.end > start && range.start < start + source.length)
  if (near.length === 0) return []
  const placeOf = placesIn(value, source)
  const found: Range[] = []
  // places and ranges both come in order
  let next = 0
  for (let at = 0; at < value.length; at++) {
    const place = start + (placeOf(at) ?? Number.NaN)
    while (place >= (near[next]?.end ?? Number.POSITIVE_INFINITY)) next++
    if (!(place >= (near[next]?.start ?? Number.POSITIVE_INFINITY))) continue
    const last = found.at(-1)
    if (last?.end === at) last.end = at + 1
    else found.push({ start: at, end: at + 1 })
  }
  return found
}

/** Places of a text's characters in its source, which has escapes and entities besides. */
function placesIn(value: string, source: string): (at: number) => number | undefined {
  const begin = source.indexOf(value)
  if (begin >= 0) return (at) => begin + at
  const places: (number | undefined)[] = []
  let from = 0
  for (let at = 0; at < value.length; at++) {
    const place = source.indexOf(value[at] ?? '', from)
    places.push(place < 0 ? undefined : place)
    if (place >= 0) from = place + 1
  }
  return (at) => places[at]
}
