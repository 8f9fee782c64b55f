// Longer than other files: the rules by which words find their places share one grid.

import type { BranchId } from '@/lib/events'
import type { DrawnItem, ItemId } from '../drawn-graph'
import { isContext } from '../fold-stretches'
import { columnsOf, type MapLine, type MapPlaces, type Place } from './place-lines'
import { type Box, Room } from './room'
import { textWidth, wordsWithin } from './text-width'

/** A branch whose title may stand on the map. */
export interface MapTitle {
  id: BranchId
  /** the beginning and the end of its line */
  from: Place
  to: Place
  text: string
  /** the branch being read */
  isHere: boolean
  /** part of it is being read */
  lit: boolean
  /** its line is another's before it begins */
  goesOn: boolean
  /** titles of more rank come first */
  rank: number
}

/** Labels that stand at a message: flags, branches that end there, and that it is being read. */
export interface MapChips {
  id: ItemId
  at: Place
  width: number
  /** nothing follows the message on its line */
  ends: boolean
  isHere: boolean
}

/** The measures of a map at a zoom. */
export interface MapScale {
  /** from one message to the next, and from one line to the next, in px of the screen */
  column: number
  row: number
  /** the height of a row of labels */
  chip: number
  /** the area of a mark on the screen */
  mark: { width: number; height: number }
}

interface MapMerge {
  id: ItemId
  from: Place
  to: Place
}

interface MapWords {
  titles: readonly MapTitle[]
  chips: readonly MapChips[]
  /** the message being read; null in an empty chat */
  head: DrawnItem | null
  /** from the merged message to the message that merges it, by its id */
  merges: readonly MapMerge[]
  lit(item: DrawnItem): boolean
  /** the words of an item, in one line; empty for an item without words */
  said(item: DrawnItem): string
}

/** The beginning of a message, where it stands. */
export interface PlacedText {
  text: string
  box: Box
  lines: number
}

/** Boxes of words, in px of the screen from the mark of the first message. */
export interface PlacedWords {
  titles: ReadonlyMap<BranchId, Box>
  chips: ReadonlyMap<ItemId, Box>
  said: ReadonlyMap<ItemId, PlacedText>
  /** the word on the dashes of a merge, by the message that merges */
  merged: ReadonlyMap<ItemId, Box>
  /** every message has the room of a few lines */
  near: boolean
}

/** From this many px between two messages every one of them has its first lines. */
export const nearFrom = 128
/** From this many px between two messages each of them has a mark. */
export const marksFrom = 11

export const lineHeight = 16
const titleHeight = 17
const titleRatio = 13.6 / 12
/** Between a mark and the words above it. */
const clear = 1
/** Words below a line keep clear of labels after its end. */
const belowOf = ({ chip }: MapScale): number => chip / 2 + 1
/** The ring around a head is so wide. */
const leastBeside = 10
/** A title is no longer than this, and words in one line are not. */
const longestTitle = 330
/** Words in one line are as wide as the first of these that has room. */
const textWidths = [290, 200, 120]
const shortest = 60
/** The first lines of a message are no more than these. */
const mostLines = 8
/** Between words beside each other. */
const apart = 14

/**
 * Finds room for words: no two cover each other, a line, or a mark, and words without room are left out. First the
 * branch being read and the words of its head, then titles by their rank at the beginning of their line or at its
 * end, then labels of single messages, then words along the lines. Titles and labels cross the dashes of a merge
 * rather than be left out; the head has words at every zoom that has marks.
 */
export function placeWords(map: MapPlaces, words: MapWords, scale: MapScale): PlacedWords {
  const { column, row } = scale
  const near = column >= nearFrom && row >= cellRow(scale)
  const room = new Room(map.lines, column, row, column < marksFrom ? 2 : 6)
  for (const merge of words.merges) for (const box of mergeBoxes(merge, scale)) room.takeMerge(box)
  const titles = new Map<BranchId, Box>()
  const chips = new Map<ItemId, Box>()
  const said = new Map<ItemId, PlacedText>()
  const merged = new Map<ItemId, Box>()
  const put = <Id>(into: Map<Id, Box>, id: Id, box: Box | undefined) => {
    if (!box) return
    into.set(id, box)
    room.take(box)
  }
  const here = words.chips.find(({ isHere }) => isHere)
  const herePlaces = here ? chipBoxes(here, scale) : []
  const hereBox =
    herePlaces.find((box) => room.isFree(box)) ??
    herePlaces.find((box) => room.isFreeOfWords(box)) ??
    herePlaces[0]
  if (here) put(chips, here.id, hereBox)
  const firstFree = (boxes: readonly Box[]) =>
    boxes.find((box) => room.isFree(box)) ?? boxes.find((box) => room.isFreeButForMerges(box))
  const titled = new Map<string, string>()
  const along = { places: map.places, words, scale, room, titled, said }
  const putTitle = (title: MapTitle) => {
    const beside = title.isHere && hereBox && besideChip(title, hereBox)
    const box =
      (title.goesOn ? firstFree(titleBoxes(title, scale).slice(0, -1)) : undefined) ??
      firstFree(titleBoxes(title, scale)) ??
      (beside && room.isFreeOfWords(beside) ? beside : undefined)
    put(titles, title.id, box)
    if (box) titled.set(keyOf(title.from), title.text)
  }
  const [read, others] = [words.titles.filter(isHere), words.titles.filter((title) => !isHere(title))]
  for (const title of read) putTitle(title)
  if (!near) placeHead(hereBox, along)
  for (const title of others.sort((a, b) => rankOf(b) - rankOf(a))) putTitle(title)
  for (const group of words.chips) if (!group.isHere) put(chips, group.id, firstFree(chipBoxes(group, scale)))
  if (column >= marksFrom) {
    for (const merge of words.merges) {
      const spot = mergeSpots(merge, scale).find((box) => room.isFree(box))
      put(merged, merge.id, spot)
    }
  }
  if (near) placeCells(map, words, scale, said)
  else for (const line of inOrder(map.lines, words)) placeAlong(line, along)
  return { titles, chips, said, merged, near }
}

/** A line with the first lines of its messages, and the titles of the line below, need so much. */
const cellRow = (scale: MapScale): number =>
  belowOf(scale) + lineHeight + titleHeight + clear + scale.mark.height / 2

/** The dashes of a merge: along the row of the merged message, and up to the message that merges it. */
function mergeBoxes({ from, to }: MapMerge, { column, row }: MapScale): Box[] {
  if (from.row <= to.row || to.column <= from.column) return []
  const [x, y] = [to.column * column, from.row * row]
  return [
    { x: from.column * column, y: y - 2, width: (to.column - from.column) * column, height: 4 },
    { x: x - 2, y: to.row * row, width: 4, height: (from.row - to.row) * row },
  ]
}

/** The word on the dashes of a merge. */
export const mergedWord = 'merged'

/** Above the dashes where they turn up, below them, and above them where they begin; where they are short, beside their way up. */
function mergeSpots({ from, to }: MapMerge, { column, row, mark }: MapScale): Box[] {
  if (from.row <= to.row) return []
  const size = { width: textWidth(mergedWord) + 4, height: lineHeight }
  const [begins, turns] = [from.column * column + mark.width / 2 + 6, to.column * column - 16 - size.width]
  const [above, below] = [from.row * row - besideLine / 2 - lineHeight, from.row * row + besideLine / 2]
  const along = [
    { ...size, x: turns, y: above },
    { ...size, x: turns, y: below },
    { ...size, x: begins, y: above },
  ]
  const beside = { ...size, x: to.column * column + 5 }
  const rows = Array.from({ length: from.row - to.row }, (_, up) => (from.row - up - 0.5) * row)
  return [
    ...(turns < begins ? [] : along),
    ...rows.map((middle) => ({ ...beside, y: middle - lineHeight / 2 })),
  ]
}

const isHere = (title: MapTitle): boolean => title.isHere
const rankOf = ({ lit, rank }: MapTitle): number => rank + (lit ? 100 : 0)

const titleWidth = (text: string): number =>
  Math.min(longestTitle, Math.ceil(textWidth(text) * titleRatio) + 6)

/** Above the beginning of its line, or below it where it is not all of the line, else after its end. */
function titleBoxes({ text, from, to, goesOn }: MapTitle, { column, row, mark }: MapScale): Box[] {
  const size = { width: titleWidth(text), height: titleHeight }
  const left = from.column * column - (column < marksFrom ? -2 : 5)
  return [
    { ...size, x: left, y: from.row * row - mark.height / 2 - clear - titleHeight },
    ...(goesOn
      ? [{ ...size, x: from.column * column + 3, y: from.row * row + mark.height / 2 + clear }]
      : []),
    { ...size, x: to.column * column + mark.width / 2 + 2, y: to.row * row - titleHeight / 2 },
  ]
}

const besideChip = ({ text }: MapTitle, { x, y, width, height }: Box): Box => ({
  x: x + width + 4,
  y: y + (height - titleHeight) / 2,
  width: titleWidth(text),
  height: titleHeight,
})

/** After the end of a line, above their message, below it, or above the title that stands there. */
function chipBoxes({ at, width, ends }: MapChips, { column, row, chip, mark }: MapScale): Box[] {
  const x = at.column * column
  const y = at.row * row
  const size = { width, height: chip }
  const beside = { ...size, x: x + Math.max(leastBeside, mark.width / 2) + 3, y: y - chip / 2 }
  const over = { ...size, x: x - 6, y: y - mark.height / 2 - clear - chip }
  const under = { ...size, x: x + 6, y: y + mark.height / 2 + clear }
  const overTitle = { ...over, y: over.y - titleHeight - clear }
  // the room below belongs to the words of messages, where every message shows them
  const others = column >= nearFrom ? [over, overTitle] : [over, under, overTitle]
  return ends ? [beside, ...others] : others
}

/** The path being read comes to a line at its beginning. */
const isRead = ({ items: [first] }: MapLine, { lit }: MapWords): boolean => first !== undefined && lit(first)

/** The lines, the path being read first. */
const inOrder = (lines: readonly MapLine[], words: MapWords): MapLine[] => [
  ...lines.filter((line) => isRead(line, words)),
  ...lines.filter((line) => !isRead(line, words)),
]

/** The first lines of each message below its mark. */
function placeCells(
  { lines, places }: MapPlaces,
  { said: wordsOf }: MapWords,
  scale: MapScale,
  said: Map<ItemId, PlacedText>,
): void {
  const { column, row, mark } = scale
  const below = belowOf(scale)
  const taken = mark.height / 2 + titleHeight + below + 12
  const high = Math.max(1, Math.min(mostLines, Math.floor((row - taken) / lineHeight)))
  for (const { items } of lines) {
    for (const item of items) {
      const at = places.get(item.id)
      if (!at) continue
      const x = at.column * column + leftOf(item)
      const width = column - 14 - leftOf(item)
      // broken lines leave some room at their ends
      const text = wordsWithin(wordsOf(item), width * (high === 1 ? 1 : (high - 0.6) * 0.94))
      if (!text) continue
      const broken = Math.min(high, Math.ceil(textWidth(text) / (width * 0.88)))
      said.set(item.id, {
        text,
        box: { x, y: at.row * row + below, width, height: broken * lineHeight },
        lines: broken,
      })
    }
  }
}

/** Words begin at their mark; where a line leads down from it, or comes up to it, beside that. */
const leftOf = (item: DrawnItem): number => {
  const merges = item.kind === 'message' && item.node.mergeParentId !== undefined
  return item.childIds.length > 1 || merges ? 8 : -5
}

/** Words above a line are so far from its middle. */
const besideLine = 8

/** A line says little with fewer questions than one to so many messages: then replies speak too. */
const fewQuestions = 8

/** State of the map while words are placed along its lines. */
interface Along {
  places: MapPlaces['places']
  words: MapWords
  scale: MapScale
  room: Room
  /** the titles that stand at the beginning of their line, by their place */
  titled: ReadonlyMap<string, string>
  said: Map<ItemId, PlacedText>
}

/** Places words along a line as they have room: questions, then replies if the path being read has few questions. */
function placeAlong(line: MapLine, along: Along): void {
  const { items, row } = line
  const asked = questionsOf(line)
  placeEach(asked, row, along)
  if (!isRead(line, along.words) || asked.length * fewQuestions >= items.length) return
  const others = items.filter((item) => !isQuestion(item))
  placeEach(others, row, along)
}

const questions = new WeakMap<MapLine, readonly DrawnItem[]>()

function questionsOf(line: MapLine): readonly DrawnItem[] {
  const found = questions.get(line) ?? line.items.filter(isQuestion)
  questions.set(line, found)
  return found
}

type Spot = Pick<Box, 'x' | 'y'>

/** One line of words for each item, below its mark, else above it; items from left to right. */
function placeEach(items: readonly DrawnItem[], row: number, along: Along): void {
  const { places, scale, room, said } = along
  // an obstacle of one item is in the way of the next ones too
  let [below, above] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const item of items) {
    if (said.has(item.id)) continue
    const at = { column: places.get(item.id)?.column ?? 0, row }
    const x = textX(item, at, scale)
    if (x + 8 < below && x < above) continue
    // the words are looked at only where the shortest ones would have room
    const spots = spotsAt(item, at, scale).filter((spot, nth) => {
      const until = room.blockedUntil({ ...spot, width: shortest, height: lineHeight })
      if (until === null) return true
      if (nth === 0) below = until
      else above = until
      return false
    })
    if (spots.length === 0 || isTitled(item, at, along)) continue
    putSaid(item, spots, (box) => room.isFree(box), along)
  }
}

/** Words of the head: at its mark or after the label that says here, where need be across a line. */
function placeHead(hereBox: Box | undefined, along: Along): void {
  const { places, words, scale, room } = along
  const { head } = words
  const at = head && places.get(head.id)
  if (!at || isTitled(head, at, along)) return
  const spots: Spot[] = spotsAt(head, at, scale)
  if (hereBox) {
    const { x, y, width, height } = hereBox
    spots.push({ x: x + width + 6, y: y + (height - lineHeight) / 2 })
  }
  if (putSaid(head, spots, (box) => room.isFree(box), along) || scale.column < marksFrom) return
  if (putSaid(head, spots, (box) => room.isFreeButForMerges(box), along)) return
  putSaid(head, spots, (box) => room.isFreeOfWords(box), along)
}

/** A folded stretch says how long it is in its middle. */
const textX = (item: DrawnItem, at: Place, scale: MapScale): number =>
  (at.column + (columnsOf(item) - 1) / 2) * scale.column

/** Below the mark of an item, and above it. */
function spotsAt(item: DrawnItem, at: Place, scale: MapScale): Spot[] {
  const x = textX(item, at, scale)
  const y = at.row * scale.row
  return [
    { x: x + leftOf(item), y: y + belowOf(scale) },
    { x: x - 5, y: y - besideLine - lineHeight },
  ]
}

/** The title at an item has the item's words. */
function isTitled(item: DrawnItem, at: Place, { titled, words }: Along): boolean {
  const title = titled.get(keyOf(at))
  return title !== undefined && words.said(item).startsWith(title.slice(0, alike))
}

/** Puts as many of an item's words as have room at the first spot that suits; false where none does. */
function putSaid(
  item: DrawnItem,
  spots: readonly Spot[],
  suits: (box: Box) => boolean,
  { words, room, said }: Along,
): boolean {
  const whole = words.said(item)
  for (const most of textWidths) {
    const text = wordsWithin(whole, most)
    if (!text) return false
    const width = textWidth(text) + 4
    const taken = { width: width + apart, height: lineHeight }
    const spot = spots.find((each) => suits({ ...each, ...taken }))
    if (!spot) continue
    room.take({ ...spot, ...taken })
    said.set(item.id, { text, box: { ...spot, width, height: lineHeight }, lines: 1 })
    return true
  }
  return false
}

/** A title that begins with this many letters of a message has its words. */
const alike = 14
const keyOf = ({ column, row }: Place): string => `${row} ${column}`

/** A folded stretch says how much it holds. */
const isQuestion = (item: DrawnItem): boolean =>
  item.kind === 'fold' || (item.node.role === 'user' && !isContext(item.node))
