import type { MapLine } from './place-lines'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** A line that leads down from where another one forks. */
interface Stem {
  x: number
  top: number
  bottom: number
}

/** Boxes that are taken are found by bands of this height. */
const band = 32

/** The room between the lines of a map, and the taken parts of it; in px of the screen. */
export class Room {
  /** by row: where its line is drawn, from and to */
  readonly #lines = new Map<number, { from: number; to: number }>()
  readonly #stems: Stem[] = []
  readonly #taken = new Map<number, Box[]>()
  readonly #merges = new Map<number, Box[]>()

  /**
   * @param column px from one message to the next
   * @param row px from one line to the next
   * @param thick half of the height of a line with its marks
   */
  constructor(
    lines: readonly MapLine[],
    column: number,
    private readonly row: number,
    private readonly thick: number,
  ) {
    for (const { row: at, from, to, stem } of lines) {
      this.#lines.set(at, { from: (stem ? stem.column : from) * column, to: to * column })
      if (stem) this.#stems.push({ x: stem.column * column, top: stem.row * row, bottom: at * row })
    }
    this.#stems.sort((a, b) => a.x - b.x)
  }

  isFree(box: Box): boolean {
    return this.blockedUntil(box) === null
  }

  /** The right end of something that a box lies on; null for a box that is free. */
  blockedUntil(box: Box): number | null {
    return meets(this.#taken, box) ?? this.#meetsLine(box) ?? this.#meetsStem(box) ?? meets(this.#merges, box)
  }

  /** Tells whether it lies on nothing but the dashes of merges. */
  isFreeButForMerges(box: Box): boolean {
    return this.isFreeOfWords(box) && this.#meetsLine(box) === null && this.#meetsStem(box) === null
  }

  /** True when it lies on nothing but lines. */
  isFreeOfWords(box: Box): boolean {
    return meets(this.#taken, box) === null
  }

  take(box: Box): void {
    add(this.#taken, box)
  }

  /** Keeps words off a dashed line, where they have another place. */
  takeMerge(box: Box): void {
    add(this.#merges, box)
  }

  #meetsLine({ x, y, width, height }: Box): number | null {
    const last = Math.floor((y + height + this.thick) / this.row)
    for (let at = Math.ceil((y - this.thick) / this.row); at <= last; at++) {
      const line = this.#lines.get(at)
      if (line && line.from - this.thick < x + width && line.to + this.thick > x) return line.to + this.thick
    }
    return null
  }

  #meetsStem({ x, y, width, height }: Box): number | null {
    const gap = 2
    let low = 0
    let high = this.#stems.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#stems[middle]?.x ?? 0) < x - gap) low = middle + 1
      else high = middle
    }
    for (let at = low; at < this.#stems.length; at++) {
      const stem = this.#stems[at]
      if (!stem || stem.x > x + width + gap) return null
      if (stem.top < y + height && stem.bottom > y) return stem.x + gap
    }
    return null
  }
}

/** The right end of a box that is met; null where none is. */
function meets(boxes: ReadonlyMap<number, readonly Box[]>, box: Box): number | null {
  for (const key of bandsOf(box)) {
    const met = boxes.get(key)?.find((other) => overlap(other, box))
    if (met) return met.x + met.width
  }
  return null
}

function add(boxes: Map<number, Box[]>, box: Box): void {
  for (const key of bandsOf(box)) {
    const here = boxes.get(key)
    if (here) here.push(box)
    else boxes.set(key, [box])
  }
}

function bandsOf({ y, height }: Box): number[] {
  const bands: number[] = []
  for (let key = Math.floor(y / band); key <= Math.floor((y + height) / band); key++) bands.push(key)
  return bands
}
