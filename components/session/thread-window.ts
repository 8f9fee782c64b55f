/** How many messages a long chat opens on, and loads at a time. */
export const page = 50

/** Farther away than this a message is gone to by itself: loading all that lies between would take long, for nothing. */
const far = 2 * page

/** The part of a chain the thread shows: from depth `floor` down to `ceiling`, or to its end where that is null. */
export interface Shown {
  floor: number
  ceiling: number | null
}

/** What to show so that the message at a depth is among it: more of the same part, or another one around it. */
export function shownAround(shown: Shown, depth: number, length: number): Shown {
  const last = shown.ceiling ?? length - 1
  if (depth >= shown.floor && depth <= last) return shown
  if (depth < shown.floor && shown.floor - depth <= far) return { ...shown, floor: Math.max(0, depth - 4) }
  if (depth > last && depth - last <= far) return { ...shown, ceiling: until(depth + 4, length) }
  return { floor: Math.max(0, depth - page / 2), ceiling: until(depth + page, length) }
}

/** A page more at the end of what is shown. */
export const shownLater = ({ floor, ceiling }: Shown, length: number): Shown => ({
  floor,
  ceiling: ceiling === null ? null : until(ceiling + page, length),
})

/** The end of the chain, as a long chat opens on it; what is there already stays. */
export const shownEnd = (shown: Shown, length: number): Shown =>
  shown.ceiling === null ? shown : { floor: Math.max(0, length - page), ceiling: null }

const until = (depth: number, length: number): number | null => (depth >= length - 1 ? null : depth)
