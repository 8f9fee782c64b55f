import { plainPreview } from '@/components/app/plain-preview'
import type { DrawnItem } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'
import { branchWords } from '../labels/label-groups'
import { labelsAt } from '../labels/opening'
import { boxWithLabels, type PlacedGroup } from '../labels/place-labels'
import {
  type Box,
  cellBox,
  drawingBox,
  linePath,
  type Metrics,
  markAt,
  mergePath,
  type Point,
  type Size,
} from '../model/geometry'
import { type GraphModel, isLit, lineIsLit, mergeLines } from '../model/graph-model'
import { lineHeight } from '../model/level'
import { Cells, everything } from '../model/view-window'
import { messageCount, statusWords } from '../model/words'
import { fitText, type Measure, xml } from './fit-text'

export const colorNames = [
  ...(['canvas', 'raised', 'ink', 'muted', 'faint', 'line', 'line-strong'] as const),
  ...(['accent', 'accent-soft', 'on-accent', 'danger', 'warn'] as const),
  ...(['lane-0', 'lane-1', 'lane-2', 'lane-3', 'lane-4', 'lane-5', 'lane-6', 'lane-7'] as const),
]
type ColorName = (typeof colorNames)[number]

/** The colours of the theme, by their names in globals.css. */
export type PictureColors = Readonly<Record<ColorName, string>>

interface Picture {
  model: GraphModel
  metrics: Metrics
  colors: PictureColors
  /** in `fonts` */
  measure: Measure
  /** the chat's, in the caption */
  title: string
  /** the caption's second part, such as a date */
  said: string
}

const pad = 24
const captionHeight = 34
/** Every system has one of them; each text carries its width, which holds in all of them. */
export const fonts = 'ui-sans-serif, system-ui, Helvetica, Arial, sans-serif'

/**
 * The whole drawing as a picture without font, style sheet or script. It shows the near view of the cards, with the
 * drawing's folds; all text is escaped.
 *
 * @returns SVG 1.1, and its size in px
 */
export function pictureSvg(picture: Picture): { svg: string; size: Size } {
  const { model, metrics, colors, measure, title, said } = picture
  const { placement, drawn } = model
  const labels = labelsAt(model, 'near', 1, metrics)
  const drawing = boxWithLabels(drawingBox(placement.columns, placement.rows, metrics), labels)
  const size = {
    width: Math.max(drawing.width, 320) + 2 * pad,
    height: drawing.height + 2 * pad + captionHeight,
  }
  const cells = new Cells(drawn, placement)
  const items = cells.inRange(everything).flatMap((item) => {
    const cell = placement.cells.get(item.id)
    return cell ? [{ item, box: cellBox(cell, metrics), mark: markAt(cell, metrics) }] : []
  })
  const lines = cells.linesInRange(everything).flatMap((line) => {
    const item = drawn.byId.get(line.to)
    if (!item) return []
    const lit = lineIsLit(model, item)
    return [{ lit, lane: line.lane, d: linePath(line, line.start, line.end, metrics) }]
  })
  const paths = [...lines.filter(({ lit }) => !lit), ...lines.filter(({ lit }) => lit)].map(
    ({ lit, lane, d }) =>
      `<path d="${d}" fill="none" stroke="${laneOf(colors, lane)}" stroke-width="${lit ? 2.5 : 1.5}" stroke-opacity="${lit ? 1 : 0.5}"/>`,
  )
  const room = size.width - 2 * pad - measure(said, 11) - 16
  const captionLook = { fill: colors.ink, weight: 600, size: 13 }
  const [caption = ''] = fitText(title, { measure, width: room, fontSize: 13, weight: 600, lines: 1 })
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="${fonts}">`,
    `<title>${xml(title)}</title>`,
    `<rect width="100%" height="100%" fill="${colors.canvas}"/>`,
    text(picture, pad, pad + 9, caption, captionLook),
    text(picture, size.width - pad - measure(said, 11), pad + 9, said, { fill: colors.faint, size: 11 }),
    `<g transform="translate(${pad - drawing.x} ${pad + captionHeight - drawing.y})">`,
    ...paths,
    ...mergeLines(model, drawn.items).map(
      ({ from, to, lane, lit }) =>
        `<path d="${mergePath(from, to, metrics)}" fill="none" stroke="${laneOf(colors, lane)}" stroke-width="1.5" stroke-dasharray="5 4" stroke-opacity="${lit ? 0.9 : 0.5}"/>`,
    ),
    ...items.map(({ item, box, mark }) => itemSvg(picture, item, box, mark)),
    ...[...labels.placed.values()].map((placed) => labelsSvg(picture, placed)),
    '</g></svg>',
  ]
  return { svg: svg.join('\n'), size }
}

const laneOf = (colors: PictureColors, lane: number): string => colors[`lane-${lane % 8}` as ColorName]

function itemSvg(picture: Picture, item: DrawnItem, box: Box, mark: Point): string {
  const { model, metrics, colors, measure } = picture
  const lane = laneOf(colors, item.lane)
  const lit = isLit(model, item)
  const x = box.x + metrics.gutter
  if (item.kind === 'fold') {
    const words = messageCount(item.nodes.length)
    const dots = [-7, 0, 7].map((dy) => `<circle cx="${mark.x}" cy="${mark.y + dy}" r="2.5" fill="${lane}"/>`)
    const behind = `<rect x="${mark.x - 4}" y="${mark.y - 12}" width="8" height="24" fill="${colors.canvas}"/>`
    return `<g>${behind}${dots.join('')}${pill(x, mark.y - 12, measure(words, 12) + 24, 24, { fill: lit ? colors.raised : colors.canvas, stroke: colors.line })}${text(picture, x + 11, mark.y + 4, words, { fill: lit ? colors.muted : colors.faint })}</g>`
  }
  const { node } = item
  const isHead = model.headId === node.id
  const width = metrics.cardWidth - metrics.gutter
  const failed = node.status === 'failed'
  const edge = isHead ? colors.accent : failed ? colors.danger : colors.line
  const card = `<rect x="${x}" y="${box.y}" width="${width}" height="${box.height}" rx="8" fill="${lit ? colors.raised : colors.canvas}" stroke="${edge}" stroke-width="${isHead ? 2 : 1}"/>`
  const fill = lit ? colors.ink : colors.faint
  const status = statusWords[node.status]
  const statusWidth = status ? measure(status, 11) + 8 : 0
  const said = `${node.role === 'assistant' ? '' : `${speakerOf(node.role)}: `}${plainPreview(node.preview)}`
  const rows = fitText(said, {
    measure,
    width: width - 18 - statusWidth,
    fontSize: 12,
    lines: 2,
  })
  const first = box.y + box.height / 2 + (rows.length === 1 ? 4 : -4)
  const words = rows.map((row, at) => text(picture, x + 9, first + at * 16, row, { fill }))
  const ending = status
    ? text(picture, x + width - 8 - measure(status, 11), box.y + 16, status, {
        fill: failed ? colors.danger : node.status === 'stopped' ? colors.warn : colors.accent,
        size: 11,
      })
    : ''
  return `<g>${markSvg(node, mark, lane, isHead, colors)}${card}${words.join('')}${ending}</g>`
}

function markSvg(
  { role }: GraphNode,
  { x, y }: Point,
  lane: string,
  isHead: boolean,
  colors: PictureColors,
): string {
  const ring = isHead ? `<circle cx="${x}" cy="${y}" r="9" fill="${colors['accent-soft']}"/>` : ''
  if (role === 'assistant') return `${ring}<circle cx="${x}" cy="${y}" r="6" fill="${lane}"/>`
  const hollow = `fill="${colors.canvas}" stroke="${lane}" stroke-width="2.5"`
  const square = `<rect x="${x - 4.75}" y="${y - 4.75}" width="9.5" height="9.5" rx="2" ${hollow}`
  return role === 'user' ? `${ring}${square}/>` : `${ring}${square} transform="rotate(45 ${x} ${y})"/>`
}

/** The labels of a message where the drawing has them, each in a line of its own where they do not fit in one. */
function labelsSvg(picture: Picture, { group, box, leader, shape }: PlacedGroup): string {
  const { metrics, colors, measure } = picture
  const lane = laneOf(colors, group.lane)
  const chips = [
    ...group.branches.map(({ isHere, ...chip }) => ({
      words: branchWords({ isHere, ...chip }),
      isHere,
      lane,
    })),
    ...group.flags.map(({ name }) => ({ words: `⚑ ${name}`, isHere: false, lane: colors.line })),
  ]
  const high = metrics.labelHeight
  let { x, y } = box
  const drawn = chips.map(({ words, isHere, lane }) => {
    const most = Math.min(shape.chipWidth, box.x + box.width - x)
    const rows = fitText(words, { measure, width: most - 14, fontSize: 12, lines: 3 })
    const width = Math.max(...rows.map((row) => measure(row, 12))) + 12
    const height = high + (rows.length - 1) * lineHeight
    const look = isHere
      ? { fill: colors.accent, stroke: colors.accent, radius: 5 }
      : { fill: colors.canvas, stroke: lane, radius: 5 }
    const fill = isHere ? colors['on-accent'] : colors.ink
    const written = rows.map((row, at) => text(picture, x + 6, y + 14 + at * lineHeight, row, { fill }))
    const chip = `${pill(x, y, width, height, look)}${written.join('')}`
    if (shape.stacked) y += height + 3
    else x += width + 4
    return chip
  })
  const [from, to] = leader ?? []
  const line =
    from && to ? `<path d="M${from.x} ${from.y}L${to.x} ${to.y}" fill="none" stroke="${lane}"/>` : ''
  return `<g>${line}${drawn.join('')}</g>`
}

interface Look {
  fill: string
  stroke: string
  radius?: number
}

const pill = (
  x: number,
  y: number,
  width: number,
  height: number,
  { fill, stroke, radius = height / 2 }: Look,
) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" stroke="${stroke}"/>`

interface TextLook {
  fill: string
  size?: number
  weight?: number
}

/** A line of text with its measured width, which it keeps in any font. */
function text({ measure }: Picture, x: number, y: number, words: string, look: TextLook): string {
  const { fill, size = 12, weight } = look
  const width = measure(words, size, weight).toFixed(1)
  const font = `font-size="${size}"${weight ? ` font-weight="${weight}"` : ''}`
  return `<text x="${x}" y="${y}" fill="${fill}" ${font} textLength="${width}" lengthAdjust="spacingAndGlyphs" style="unicode-bidi:plaintext">${xml(words)}</text>`
}
