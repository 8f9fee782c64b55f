import { type Box, overlap } from '../model/geometry'

const cell = 64
const rowOfCells = 2 ** 22

interface Taken {
  id: string
  box: Box
}

/** Boxes on a plane, found by where they are. */
export class TakenRoom {
  readonly #cells = new Map<number, Taken[]>()

  take(id: string, box: Box): void {
    const taken = { id, box }
    for (const key of cellsOf(box)) {
      const here = this.#cells.get(key)
      if (here) here.push(taken)
      else this.#cells.set(key, [taken])
    }
  }

  /** Whether nothing lies in a box, apart from what has the id `except`. */
  isFree(box: Box, except?: string): boolean {
    for (const key of cellsOf(box)) {
      for (const taken of this.#cells.get(key) ?? []) {
        if (taken.id !== except && overlap(taken.box, box)) return false
      }
    }
    return true
  }

  /** The left side of the first box that lies in another, seen from its left; its right side where it is free. */
  freeUntil(box: Box, except: string): number {
    let until = box.x + box.width
    for (const key of cellsOf(box)) {
      for (const taken of this.#cells.get(key) ?? []) {
        if (taken.id !== except && overlap(taken.box, box)) until = Math.min(until, taken.box.x)
      }
    }
    return until
  }
}

function* cellsOf({ x, y, width, height }: Box): Generator<number> {
  const right = Math.floor((x + width) / cell)
  const bottom = Math.floor((y + height) / cell)
  for (let row = Math.floor(y / cell); row <= bottom; row++) {
    for (let column = Math.floor(x / cell); column <= right; column++) yield row * rowOfCells + column
  }
}
