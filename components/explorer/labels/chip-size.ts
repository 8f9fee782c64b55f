import type { Size } from '../model/geometry'
import { lineHeight } from '../model/level'

/** The words of a label, and whether an icon stands before them. */
export interface ChipText {
  words: string
  icon: boolean
}

/** Labels of one message on the screen, beside each other or one below the other, their words in one line or more. */
export interface Shape extends Size {
  stacked: boolean
  /** how wide a label may be */
  chipWidth: number
}

/** Padding and border of a label, and its icon with the space after it. */
const frame = 15
const icon = 15
/** Between two labels of a message, beside each other and one below the other. */
const gap = { x: 4, y: 3 }
/** A label is no wider than this in one line, its words in no more lines than this; a row is no wider than this. */
const most = { width: 260, lines: 3, row: 420 }
/** Fewer letters than this in a line are not worth reading. */
const leastWidth = 84

const narrow = /[ ijl.,:;'’|!ftrI()[\]`·]/
const wide = /[mwMW@%&—…]/
const full = /[\u2e80-\u{10ffff}]/u

/** About how wide words are, in letters of 12 px: never less than they turn out. */
function widthOf(words: string): number {
  let width = 0
  for (const letter of words)
    width += full.test(letter)
      ? 13
      : wide.test(letter)
        ? 10.8
        : narrow.test(letter)
          ? 4.8
          : /[A-Z]/.test(letter)
            ? 8.6
            : 7.1
  return Math.ceil(width)
}

/** How many lines words take, broken between words; infinitely many where a word is longer than a line. */
function linesIn(words: string, width: number): number {
  let lines = 1
  let used = 0
  for (const word of words.split(/(?<=[\s-])/)) {
    const needed = widthOf(word.trimEnd())
    if (needed > width) return Number.POSITIVE_INFINITY
    if (used + needed > width) {
      lines++
      used = 0
    }
    used += widthOf(word)
  }
  return lines
}

const around = (chip: ChipText): number => frame + (chip.icon ? icon : 0)

const chipWidth = (chip: ChipText): number => Math.min(most.width, widthOf(chip.words) + around(chip))

/**
 * The shapes that the labels of a message can take, the best first: one row, a pile, a pile of broken lines.
 *
 * @param column the room below their card, in px of the screen
 * @param height of a label of one line
 */
export function shapesOf(chips: readonly ChipText[], column: number, height: number): Shape[] {
  const widths = chips.map(chipWidth)
  const widest = Math.max(0, ...widths)
  const between = (gap: number) => gap * Math.max(0, chips.length - 1)
  // words that are wider than a label may be break in a row and in a pile too
  const heights = chips.map((chip) => {
    const lines = Math.min(most.lines, linesIn(chip.words, most.width - around(chip)))
    return height + (lines - 1) * lineHeight
  })
  const row: Shape = {
    stacked: false,
    chipWidth: most.width,
    width: widths.reduce((sum, width) => sum + width, between(gap.x)),
    height: Math.max(height, ...heights),
  }
  const shapes = chips.length > 1 && row.width > most.row ? [] : [row]
  if (chips.length > 1) {
    const pile = {
      stacked: true,
      chipWidth: most.width,
      width: widest,
      height: heights.reduce((sum, each) => sum + each, between(gap.y)),
    }
    shapes.push(pile)
  }
  if (column >= leastWidth && column < widest) {
    const lines = chips.map((chip) => linesIn(chip.words, column - around(chip)))
    if (Math.max(...lines) <= most.lines)
      shapes.push({
        stacked: true,
        chipWidth: column,
        width: column,
        height: lines.reduce((sum, count) => sum + height + (count - 1) * lineHeight, between(gap.y)),
      })
  }
  return shapes
}
