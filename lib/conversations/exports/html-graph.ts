import type { MessageId } from '@/lib/events'
import { titleWords } from '@/lib/events/title-words'
import {
  branchTitle,
  columnsOf,
  type DrawnItem,
  drawnGraph,
  foldsBeyond,
  hueOf,
  type ItemId,
  laneHues,
  longStretches,
  type Place,
  placeLines,
  visibleGraph,
  wordsWithin,
} from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import { escapeHtml } from './escape-html'
import type { ReadableChat } from './readable-chat'

/** From a message to the next, from a line to the next, and around the drawing, in px. */
const [STEP, ROW, PAD] = [150, 62, 16]
/** The title of a line stands this far above it, the words of its messages this far below. */
const [ABOVE, BELOW] = [10, 20]
const BEND = 10

/**
 * The graph of a chat as a drawing within a page: time runs right, each line has its row. It shows every
 * message of a small one, of a larger one its forks and ends. Each message links to its place. It needs no
 * script, and its colours are those of the page's style sheet.
 */
export function graphSvg({ index, branchId }: ReadableChat, anchors: ReadonlyMap<MessageId, string>): string {
  const visible = visibleGraph(index, { branchId, showArchived: true })
  if (visible.nodes.length === 0) return ''
  const folded = visible.nodes.length > foldsBeyond ? longStretches(visible) : undefined
  const drawn = drawnGraph(visible, folded)
  const hues = laneHues(index.graph.lanes)
  const { places, lines, columns, rows } = placeLines(drawn)
  const [width, height] = [Math.ceil(columns * STEP) + 2 * PAD, rows * ROW + 2 * PAD]
  const at = ({ column, row }: Place) => ({ x: PAD + 6 + column * STEP, y: PAD + 26 + row * ROW })
  const placeOf = (id: ItemId | undefined) => {
    const place = id === undefined ? undefined : places.get(id)
    return place && at(place)
  }
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="graph-title">`,
    '<title id="graph-title">The graph of this chat</title>',
  ]
  for (const { items, stem } of lines) {
    let before = stem && at(stem)
    for (const item of items) {
      const end = placeOf(item.id)
      if (!end) continue
      if (before) svg.push(`<path class="edge lane-${hueOf(hues, item.lane)}" d="${pathTo(before, end)}"/>`)
      before = { x: end.x + (columnsOf(item) - 1) * STEP, y: end.y }
      if (item.kind === 'fold')
        svg.push(`<path class="edge lane-${hueOf(hues, item.lane)}" d="M${end.x} ${end.y}H${before.x}"/>`)
    }
  }
  for (const { node } of visible.nodes) {
    const merged = node.mergeParentId === undefined ? undefined : drawn.itemOf(node.mergeParentId)
    const [start, end] = [placeOf(merged?.id), placeOf(drawn.itemOf(node.id)?.id)]
    if (start && end) {
      svg.push(
        `<path class="edge merge lane-${hueOf(hues, node.lane)}" d="M${start.x} ${start.y}L${end.x} ${end.y}"/>`,
      )
    }
  }
  for (const item of drawn.items) {
    const place = placeOf(item.id)
    if (place) svg.push(itemSvg(item, place, hueOf(hues, item.lane), anchors, namesAt(item)))
  }
  svg.push('</svg>')
  return svg.join('\n')

  function namesAt(item: DrawnItem): string[] {
    if (item.kind === 'fold') return []
    const labels = visible.labels.get(item.id)
    if (!labels) return []
    const branches = [...labels.branches, ...labels.waiting].map(({ id }) => branchTitle(index, id))
    return [...branches, ...labels.checkpoints.map(({ name }) => `⚑ ${name}`)]
  }
}

interface Point {
  x: number
  y: number
}

/** Straight on a line, else down from the fork. */
const pathTo = (from: Point, to: Point): string =>
  from.y === to.y
    ? `M${from.x} ${from.y}H${to.x}`
    : `M${from.x} ${from.y}V${to.y - BEND}Q${from.x} ${to.y} ${from.x + BEND} ${to.y}H${to.x}`

function itemSvg(
  item: DrawnItem,
  { x, y }: Point,
  hue: number,
  anchors: ReadonlyMap<MessageId, string>,
  names: readonly string[],
): string {
  const lane = `lane-${hue}`
  // words begin at their mark; where a line leads down from it, beside that
  const left = x + (item.childIds.length > 1 ? 8 : -5)
  const width = STEP - (left - x) - 10
  const line = (look: string, top: number, words: string, wide: number) =>
    `<text class="${look}" x="${left}" y="${top}">${escapeHtml(wordsWithin(words, wide) ?? words.slice(0, 16))}</text>`
  if (item.kind === 'fold') {
    const dots = [0, 7, 14].map((dx) => `<circle class="dot ${lane}" cx="${x + dx}" cy="${y}" r="2.5"/>`)
    return `<g>${dots.join('')}${line('faint', y + BELOW, `${item.nodes.length} messages`, width)}</g>`
  }
  const { node } = item
  const mark =
    node.role === 'assistant'
      ? `<circle class="dot ${lane}" cx="${x}" cy="${y}" r="5.5"/>`
      : `<rect class="square ${lane}" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" rx="2"/>`
  const said = titleWords(node.preview) || node.preview || 'No text'
  const called = names.join(', ')
  const whole = `${speakerOf(node.role)}: ${said}${called === '' ? '' : ` (${called})`}`
  // the name of an end has the room behind it
  const name =
    called === '' ? '' : line(`name ${lane}`, y - ABOVE, called, item.childIds.length > 0 ? width : 2 * width)
  const drawn = `<title>${escapeHtml(whole)}</title>${mark}${name}${line('said', y + BELOW, said, width)}`
  const anchor = anchors.get(node.id)
  return anchor === undefined ? `<g>${drawn}</g>` : `<a href="#${anchor}">${drawn}</a>`
}
