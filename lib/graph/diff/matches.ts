import { diffArrays } from 'diff'

/** Items that two sequences share: `length` of them, from `left` in the one and from `right` in the other. */
export interface Match {
  left: number
  right: number
  length: number
}

/**
 * Common stretches of two sequences, in order, with the fewest insertions and deletions between.
 *
 * @param maxEdits most insertions and deletions that are looked for
 * @returns null when the two differ in more than that
 *
 * @example matchesOf(['a', 'b', 'c'], ['b', 'c', 'd'], 10) // [{ left: 1, right: 0, length: 2 }]
 */
export function matchesOf<T>(left: readonly T[], right: readonly T[], maxEdits: number): Match[] | null {
  const changes = diffArrays([...left], [...right], { maxEditLength: maxEdits })
  if (!changes) return null
  const matches: Match[] = []
  const at = { left: 0, right: 0 }
  for (const { added, removed, count } of changes) {
    if (!added && !removed) matches.push({ ...at, length: count })
    if (!added) at.left += count
    if (!removed) at.right += count
  }
  return matches
}
