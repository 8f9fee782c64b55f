import { type DrawnItem, hueOf, laneHues, lineHeight, mergedWord, type PlacedText } from '@/lib/graph'
import { strokesOf } from '../cards/lane-paths'
import { beginningsPath } from '../cards/merge-paths'
import { branchWords, type LabelGroup, type LineTitle } from '../labels/label-groups'
import { type WordMap, wholeBox, wordsAt } from '../labels/words-at'
import { type Box, type Metrics, markAt, mergePath, metricsFor, type Size } from '../model/geometry'
import { type GraphModel, isLit, mergeLines } from '../model/graph-model'
import { levelAt } from '../model/level'
import { fitText, type Measure, xml } from './fit-text'
import { mapKey } from './map-key'

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
  colors: PictureColors
  /** in `fonts` */
  measure: Measure
  /** the chat's, in the caption */
  title: string
  /** the caption's second part, such as a date */
  said: string
}

const pad = 32
const captionHeight = 44
const keyHeight = 34
/** Every system has one of them; each text carries its width, which holds in all of them. */
export const fonts = 'ui-sans-serif, system-ui, Helvetica, Arial, sans-serif'

/** A picture is about as large as this; one of more branches is higher, until it would be no picture. */
const sheet = { width: 1600, height: 900, highest: 2400, row: 42 }
/** From a message to the next where each has its first lines, and how wide a picture of those may be. */
const near = { column: 150, width: 2600 }

/** The measures of a picture: messages with their first lines where that is no wider than a screen or two, else all titles. */
function pictureMetrics({ map }: GraphModel): Metrics {
  const height = Math.max(sheet.height, Math.min(sheet.highest, map.rows * sheet.row))
  const metrics = metricsFor(map, { width: sheet.width, height }, false)
  const isSmall = map.columns * near.column <= near.width
  return isSmall ? { ...metrics, step: near.column, row: Math.max(metrics.row, near.column) } : metrics
}

/**
 * The map as a picture without font, style sheet or script: its lines, the path being read, and the words that have room,
 * with the map's folds; all text is escaped.
 *
 * @returns SVG 1.1, and its size in px
 */
export function pictureSvg(picture: Picture): { svg: string; size: Size } {
  const { model, colors, measure, title, said } = picture
  const metrics = pictureMetrics(model)
  const words = wordsAt(model, 1, metrics)
  const whole = wholeBox(model, words, metrics)
  const drawing = { ...whole, x: whole.x - 8, width: whole.width + 16 }
  const size = {
    width: Math.ceil(Math.max(drawing.width, 480) + 2 * pad),
    height: Math.ceil(drawing.height + 2 * pad + captionHeight + keyHeight),
  }
  const room = size.width - 2 * pad - measure(said, 12) - 24
  const [caption = ''] = fitText(title, { measure, width: room, fontSize: 18, weight: 600, lines: 1 })
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="${fonts}">`,
    `<title>${xml(title)}</title>`,
    `<rect width="100%" height="100%" fill="${colors.canvas}"/>`,
    text(picture, pad, pad + 14, caption, { fill: colors.ink, weight: 600, size: 18 }),
    text(picture, size.width - pad - measure(said, 12), pad + 13, said, { fill: colors.faint }),
    `<g transform="translate(${pad - drawing.x} ${pad + captionHeight - drawing.y})">`,
    ...linesSvg(picture, metrics),
    ...wordsSvg(picture, words),
    ...mergedSvg(picture, words, metrics),
    '</g>',
    ...keySvg(picture, words, size.height - pad + 4),
    '</svg>',
  ]
  return { svg: svg.join('\n'), size }
}

/** The signs that a map uses, in words, in a line. */
function keySvg(picture: Picture, words: WordMap, y: number): string[] {
  const { colors, measure } = picture
  const absent = new Set<string>([
    ...(words.merged.size === 0 ? ['merge'] : []),
    ...(words.allTitles.some(({ goesOn }) => goesOn) ? [] : ['begins']),
  ])
  const mark = `fill="none" stroke="${colors.muted}" stroke-width="2"`
  let x = pad
  const present = mapKey.filter(({ sign }) => !absent.has(sign))
  return present.map(({ sign, words: said }) => {
    const signs = {
      person: `<rect x="${x + 2}" y="${y - 8}" width="8" height="8" rx="2" ${mark}/>`,
      assistant: `<circle cx="${x + 6}" cy="${y - 4}" r="5" fill="${colors.muted}"/>`,
      here: `<circle cx="${x + 6}" cy="${y - 4}" r="6" fill="none" stroke="${colors.accent}" stroke-width="2"/>`,
      merge: `<path d="M${x - 2} ${y - 4}H${x + 14}" ${mark} stroke-dasharray="4 3"/>`,
      begins: `<path d="M${x - 2} ${y - 4}H${x + 14}M${x + 6} ${y - 10}V${y + 2}" ${mark}/>`,
    }
    const drawn = `${signs[sign]}${text(picture, x + 20, y, said, { fill: colors.muted })}`
    x += 20 + measure(said, 12) + 22
    return drawn
  })
}

const hueIn = (colors: PictureColors, hue: number): string => colors[`lane-${hue}` as ColorName]

const laneOf = ({ model, colors }: Picture, lane: number): string =>
  hueIn(colors, hueOf(laneHues(model.index.graph.lanes), lane))

function linesSvg(picture: Picture, metrics: Metrics): string[] {
  const { model, colors } = picture
  const hues = laneHues(model.index.graph.lanes)
  const level = levelAt(metrics.step)
  const lines = strokesOf(model, hues, metrics, 1).map(({ hue, kind, lit, d }) => {
    const width = lit ? 3.5 : kind === 'stem' ? 1 : 2.25
    const opacity = lit ? 1 : kind === 'stem' ? 0.4 : 0.65
    const dashes = kind === 'fold' && level !== 'far' ? ' stroke-dasharray="1 6"' : ''
    return `<path d="${d}" fill="none" stroke="${hueIn(colors, hue)}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round"${dashes}/>`
  })
  const merges = mergeLines(model, model.drawn.items).map(
    ({ from, to, lane, lit }) =>
      `<path d="${mergePath(from, to, metrics, 1)}" fill="none" stroke="${laneOf(picture, lane)}" stroke-width="1.5" stroke-dasharray="5 4" stroke-opacity="${lit ? 0.9 : 0.6}"/>`,
  )
  const marks = level === 'far' ? [] : model.drawn.items.map((item) => markSvg(item, picture, metrics))
  return [...lines, ...merges, ...marks]
}

function markSvg(item: DrawnItem, picture: Picture, metrics: Metrics): string {
  const { model, colors } = picture
  const place = model.map.places.get(item.id)
  if (item.kind === 'fold' || !place) return ''
  const { x, y } = markAt(place, metrics)
  const lane = laneOf(picture, item.lane)
  const size = isLit(model, item) ? 5 : 4.25
  const ring =
    model.headId === item.id
      ? `<circle cx="${x}" cy="${y}" r="9" fill="none" stroke="${colors.accent}" stroke-width="2"/>`
      : ''
  if (item.node.role !== 'user') return `${ring}<circle cx="${x}" cy="${y}" r="${size}" fill="${lane}"/>`
  return `${ring}<rect x="${x - size + 1}" y="${y - size + 1}" width="${2 * size - 2}" height="${2 * size - 2}" rx="2" fill="${colors.canvas}" stroke="${lane}" stroke-width="2.5"/>`
}

function wordsSvg(picture: Picture, words: WordMap): string[] {
  const { model, colors } = picture
  const said = model.drawn.items.flatMap((item) => {
    const placed = words.said.get(item.id)
    return placed ? saidSvg(picture, placed, isLit(model, item) ? colors.ink : colors.muted) : []
  })
  const titles = words.allTitles.flatMap((title) => {
    const box = words.titles.get(title.id)
    return box ? titleSvg(picture, title, box) : []
  })
  const groups = words.allGroups.flatMap((group) => {
    const box = words.chips.get(group.id)
    return box ? groupSvg(picture, group, box) : []
  })
  return [...said, ...titles, ...groups]
}

/** The word on each merge, and strokes where a branch goes on from the line of another. */
function mergedSvg(picture: Picture, words: WordMap, metrics: Metrics): string[] {
  const { colors } = picture
  const begins = beginningsPath(words.allTitles, metrics, 1)
  const isFar = levelAt(metrics.step) === 'far'
  return [
    ...[...words.merged.values()].map(({ x, y }) =>
      text(picture, x, y + 12, mergedWord, { fill: colors.muted }),
    ),
    ...(begins === '' || isFar ? [] : [`<path d="${begins}" stroke="${colors.ink}" stroke-width="1.5"/>`]),
  ]
}

function saidSvg(picture: Picture, { text: words, box, lines }: PlacedText, fill: string): string[] {
  const { measure } = picture
  // words in one line are as wide as they are
  const width = lines === 1 ? Number.POSITIVE_INFINITY : box.width
  const rows = fitText(words, { measure, width, fontSize: 12, lines: Math.max(lines, 6) })
  return rows.map((row, at) => text(picture, box.x, box.y + 12 + at * lineHeight, row, { fill }))
}

const titleSvg = (picture: Picture, { text: words, lit }: LineTitle, { x, y }: Box): string =>
  text(picture, x + 3, y + 13, words, { fill: picture.colors.ink, size: 13, weight: lit ? 700 : 500 })

/** The labels of a message, beside each other. */
function groupSvg(
  picture: Picture,
  { branches, flags, lane, more }: LabelGroup,
  { x, y, height }: Box,
): string[] {
  const { colors, measure } = picture
  const color = laneOf(picture, lane)
  const counted = [...more.flags, ...more.branches].length
  const chips = [
    ...branches.map((chip) => ({ words: branchWords(chip), isHere: chip.isHere, edge: color })),
    ...branches
      .filter(({ isHere, titled }) => isHere && !titled)
      .map(({ title }) => ({ words: title, isHere: false, edge: color })),
    ...flags.map(({ name }) => ({ words: `⚑ ${name}`, isHere: false, edge: colors['line-strong'] })),
    ...(counted > 0 ? [{ words: `+${counted}`, isHere: false, edge: colors.line }] : []),
  ]
  let left = x
  return chips.map(({ words, isHere, edge }) => {
    const width = measure(words, 12) + 13
    const look = isHere
      ? { fill: colors.accent, stroke: colors.accent }
      : { fill: colors.canvas, stroke: edge }
    const fill = isHere ? colors['on-accent'] : colors.ink
    const chip = `${pill(left, y, width, height, look)}${text(picture, left + 6.5, y + height / 2 + 4, words, { fill })}`
    left += width + 4
    return chip
  })
}

interface Look {
  fill: string
  stroke: string
}

const pill = (x: number, y: number, width: number, height: number, { fill, stroke }: Look) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5" fill="${fill}" stroke="${stroke}"/>`

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
