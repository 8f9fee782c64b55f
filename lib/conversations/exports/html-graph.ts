import type { MessageId } from '@/lib/events'
import { titleWords } from '@/lib/events/title-words'
import {
  branchTitle,
  type DrawnItem,
  drawnGraph,
  foldsBeyond,
  longStretches,
  placeNodes,
  visibleGraph,
} from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import { escapeHtml } from './escape-html'
import type { ReadableChat } from './readable-chat'

/** Of a cell, and of the card in it, in px. */
const [WIDE, HIGH] = [228, 54]
const [CARD_WIDE, CARD_HIGH] = [192, 38]
const PAD = 12
/** The marks stand left of the cards. */
const MARK = 8
/** Letters of a card's line; what is too wide all the same ends at the card's edge. */
const LETTERS = 25

/**
 * The graph of a chat as a drawing within a page: every message of a small one, of a larger one its forks and ends. Each card
 * leads to its message. It needs no script, and its colours are those of the page's style sheet.
 */
export function graphSvg({ index, branchId }: ReadableChat, anchors: ReadonlyMap<MessageId, string>): string {
  const visible = visibleGraph(index, { branchId, showArchived: true })
  if (visible.nodes.length === 0) return ''
  const folded = visible.nodes.length > foldsBeyond ? longStretches(visible) : undefined
  const drawn = drawnGraph(visible, folded)
  const { cells, edges, columns, rows } = placeNodes(drawn)
  const [width, height] = [columns * WIDE + 2 * PAD, rows * HIGH + 2 * PAD]
  const at = (id: string) => {
    const cell = cells.get(id)
    return cell && { x: PAD + MARK + cell.column * WIDE, y: PAD + HIGH / 2 + cell.row * HIGH }
  }
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="graph-title">`,
    '<title id="graph-title">The graph of this chat</title>',
  ]
  for (const { from, to, lane } of edges) {
    const [start, end] = [at(from), at(to)]
    if (!start || !end) continue
    const middle = end.y - HIGH / 2
    const path =
      start.x === end.x
        ? `M${start.x} ${start.y}V${end.y}`
        : `M${start.x} ${start.y}V${middle - 8}C${start.x} ${middle + 6} ${end.x} ${middle - 6} ${end.x} ${middle + 8}V${end.y}`
    svg.push(`<path class="edge lane-${lane % 8}" d="${path}"/>`)
  }
  for (const { node } of visible.nodes) {
    const merged = node.mergeParentId === undefined ? undefined : drawn.itemOf(node.mergeParentId)
    const [start, end] = [merged && at(merged.id), at(drawn.itemOf(node.id)?.id ?? '')]
    if (start && end) {
      svg.push(
        `<path class="edge merge lane-${node.lane % 8}" d="M${start.x} ${start.y}L${end.x} ${end.y}"/>`,
      )
    }
  }
  for (const item of drawn.items) {
    const place = at(item.id)
    if (place) svg.push(itemSvg(item, place, anchors, namesAt(item)))
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

function itemSvg(
  item: DrawnItem,
  { x, y }: { x: number; y: number },
  anchors: ReadonlyMap<MessageId, string>,
  names: readonly string[],
): string {
  const lane = `lane-${item.lane % 8}`
  if (item.kind === 'fold') {
    const dots = [-7, 0, 7].map((dy) => `<circle class="dot ${lane}" cx="${x}" cy="${y + dy}" r="2.5"/>`)
    const words = `${item.nodes.length} messages`
    return `<g>${dots.join('')}<text class="faint" x="${x + 16}" y="${y + 4}">${words}</text></g>`
  }
  const { node } = item
  const mark =
    node.role === 'assistant'
      ? `<circle class="dot ${lane}" cx="${x}" cy="${y}" r="5.5"/>`
      : `<rect class="square ${lane}" x="${x - 4.5}" y="${y - 4.5}" width="9" height="9" rx="2"/>`
  const left = x + 14
  const top = y - CARD_HIGH / 2
  const said = titleWords(node.preview) || node.preview || 'No text'
  const two = names.length > 0
  const lines = [
    `<text x="8" y="${CARD_HIGH / 2 + (two ? -3 : 4)}">${escapeHtml(cut(said))}</text>`,
    two
      ? `<text class="name ${lane}" x="8" y="${CARD_HIGH / 2 + 12}">${escapeHtml(cut(names.join(', ')))}</text>`
      : '',
  ]
  const text = `<svg x="${left}" y="${top}" width="${CARD_WIDE - 6}" height="${CARD_HIGH}">${lines.join('')}</svg>`
  const whole = `${speakerOf(node.role)}: ${said}${two ? ` (${names.join(', ')})` : ''}`
  const card = `<rect class="card" x="${left}" y="${top}" width="${CARD_WIDE}" height="${CARD_HIGH}" rx="7"/>`
  const drawn = `<title>${escapeHtml(whole)}</title>${mark}${card}${text}`
  const anchor = anchors.get(node.id)
  return anchor === undefined ? `<g>${drawn}</g>` : `<a href="#${anchor}">${drawn}</a>`
}

/** Wide letters take the room of two. */
function cut(words: string): string {
  let room = LETTERS
  let kept = ''
  for (const letter of words.replace(/\s+/g, ' ').trim()) {
    room -=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{1faff}]/u.test(
        letter,
      )
        ? 2
        : 1
    if (room < 0) return `${kept.trimEnd()}…`
    kept += letter
  }
  return kept
}
