/** Longer bases are cut: a name may have 200 characters, suffix included. */
const MAX_BASE = 180

/**
 * The lowest free `{base}-v{n}`, n ≥ 2 (seeds/000, “Auto-Naming Convention”).
 *
 * Departure: the source counts the names that share the prefix, which can collide and races; counting up from 2
 * gives the documented sequences (`main-v2`, `main-v3`, `main-v2-v2`) and never a name that is taken.
 *
 * @param base the branch forked from; beyond 180 characters it is cut and ends in an ellipsis
 * @param isTaken asked about the names of all branches, archived ones included
 */
export function freeBranchName(base: string, isTaken: (name: string) => boolean): string {
  const characters = [...base]
  const stem = characters.length > MAX_BASE ? `${characters.slice(0, MAX_BASE).join('')}…` : base
  let n = 2
  while (isTaken(`${stem}-v${n}`)) n += 1
  return `${stem}-v${n}`
}
