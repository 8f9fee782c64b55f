import type { BisectId } from './ids'
import type { ChatState } from './state'

export const isNameTaken = (state: ChatState, name: string): boolean =>
  state.inPart?.isNameTaken(name) ?? [...state.threads.values()].some((thread) => thread.name === name)

/** The first branch of a chat keeps this name until a person gives it another. */
export const FIRST_NAME = 'main'

/** The name of the branch that a bisect asks its question on, by the run. */
export const probeName = (bisectId: BisectId, run: number): string => `bisect-${bisectId.slice(-12)}-${run}`

/** Tells whether a name is of a form that code makes: `{x}-v{n}` by `freeBranchName`, or that of `probeName`. */
export const isMadeName = (name: string): boolean =>
  /-v(?:[2-9]|[1-9]\d+)$|^bisect-[\da-f]{12}-\d+$/.test(name)

/** The name that a person gave a branch; null for one that was made. A suffix from Undo is left out. */
export function chosenName(name: string): string | null {
  const given = name.replace(/-undone-\d+$/, '')
  return given === FIRST_NAME || isMadeName(given) ? null : given
}

/** A branch in a sentence that knows no more of it than its name. */
export function branchInWords(name: string): string {
  if (name === FIRST_NAME) return 'the main line'
  const chosen = chosenName(name)
  return chosen === null ? 'the branch' : `“${chosen}”`
}

/** Longer bases are cut: a name may have 200 characters, suffix included. */
const MAX_BASE = 180

/** Numbers of which the lowest free one is taken. */
const IN_ORDER = 32

/**
 * A free `{base}-v{n}`, n ≥ 2 (seeds/000, “Auto-Naming Convention”): the lowest up to 32, beyond that a
 * number after a taken one, since a chat may have thousands. A base beyond 180 characters is cut and ends in
 * an ellipsis. Archived branches keep their names.
 *
 * Departure: the source counts the names that share the prefix, which can collide and races; counting up from 2 gives
 * the documented sequences (`main-v2`, `main-v3`, `main-v2-v2`) and never a name that is taken.
 */
export function freeBranchName(state: ChatState, base: string): string {
  if (state.inPart) return state.inPart.freeName(base)
  const characters = [...base]
  const stem = characters.length > MAX_BASE ? `${characters.slice(0, MAX_BASE).join('')}…` : base
  const names = new Set([...state.threads.values()].map(({ name }) => name))
  const isTaken = (n: number) => names.has(`${stem}-v${n}`)
  for (let n = 2; n <= IN_ORDER; n += 1) if (!isTaken(n)) return `${stem}-v${n}`
  let taken = IN_ORDER
  let free = 2 * taken
  while (isTaken(free)) {
    taken = free
    free = 2 * taken
  }
  while (free - taken > 1) {
    const between = Math.floor((taken + free) / 2)
    if (isTaken(between)) taken = between
    else free = between
  }
  return `${stem}-v${free}`
}
