/** A stretch that both sequences have: `length` items from `left` in the one and from `right` in the other. */
export interface Run {
  left: number
  right: number
  length: number
}

/**
 * What two sequences have in common, in order, with the fewest insertions and deletions between (Myers 1986, greedy).
 * Costs the length times the number of differences, and the square of that number in memory.
 *
 * @param maxEdits more insertions and deletions than this are not looked for
 * @returns null when the two differ in more than that
 *
 * @example matchRuns([1, 2, 3], [2, 3, 4], 10) // [{ left: 1, right: 0, length: 2 }]
 */
export function matchRuns(left: ArrayLike<number>, right: ArrayLike<number>, maxEdits: number): Run[] | null {
  const shortest = Math.min(left.length, right.length)
  let head = 0
  while (head < shortest && left[head] === right[head]) head++
  let tail = 0
  while (tail < shortest - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++

  const reached = explore(left, right, head, tail, maxEdits)
  if (!reached) return null
  const middle = backtrack(reached, left.length - head - tail, right.length - head - tail)
  const runs = [
    { left: 0, right: 0, length: head },
    ...middle.map((run) => ({ ...run, left: run.left + head, right: run.right + head })),
    { left: left.length - tail, right: right.length - tail, length: tail },
  ]
  return joined(runs.filter(({ length }) => length > 0))
}

/** How far one gets along each diagonal with 0, 1, 2 … edits, until the ends are reached. */
function explore(
  left: ArrayLike<number>,
  right: ArrayLike<number>,
  head: number,
  tail: number,
  maxEdits: number,
): Int32Array[] | null {
  const width = left.length - head - tail
  const height = right.length - head - tail
  const most = Math.min(width + height, maxEdits)
  const furthest = new Int32Array(2 * most + 3)
  const zero = most + 1
  const reached: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepTo(furthest, zero + diagonal, diagonal === -edits, diagonal === edits)
      while (x < width && x - diagonal < height && left[head + x] === right[head + x - diagonal]) x++
      furthest[zero + diagonal] = x
      if (x >= width && x - diagonal >= height) {
        reached.push(furthest.slice(zero - edits, zero + edits + 1))
        return reached
      }
    }
    reached.push(furthest.slice(zero - edits, zero + edits + 1))
  }
  return null
}

/** Where a diagonal is entered: from the one above by leaving out an item, or from below by taking one in. */
function stepTo(furthest: Int32Array, at: number, isLowest: boolean, isHighest: boolean): number {
  const fromBelow = furthest[at - 1] ?? 0
  const fromAbove = furthest[at + 1] ?? 0
  return isLowest || (!isHighest && fromBelow < fromAbove) ? fromAbove : fromBelow + 1
}

/** The way that was taken, as the stretches it went along diagonals. */
function backtrack(reached: readonly Int32Array[], width: number, height: number): Run[] {
  const runs: Run[] = []
  let x = width
  let y = height
  for (let edits = reached.length - 1; edits > 0; edits--) {
    const before = reached[edits - 1]
    if (!before) break
    const diagonal = x - y
    const at = diagonal + edits - 1
    const fromAbove = before[at + 1] ?? 0
    const isDown = diagonal === -edits || (diagonal !== edits && (before[at - 1] ?? 0) < fromAbove)
    const start = isDown ? fromAbove : (before[at - 1] ?? 0) + 1
    runs.push({ left: start, right: start - diagonal, length: x - start })
    x = isDown ? fromAbove : start - 1
    y = x - (isDown ? diagonal + 1 : diagonal - 1)
  }
  runs.push({ left: 0, right: 0, length: x })
  return runs.reverse()
}

/** Stretches that touch on both sides are one. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = []
  for (const run of runs) {
    const last = result.at(-1)
    const touches = last && last.left + last.length === run.left && last.right + last.length === run.right
    if (touches) last.length += run.length
    else result.push({ ...run })
  }
  return result
}
