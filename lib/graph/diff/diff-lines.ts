import { matchesOf } from './matches'

/** A line of a diff; a `gap` stands for lines that are the same in both. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string } | { kind: 'gap'; count: number }

/** Lines around a change that are shown. */
const AROUND = 3
/** More lines that differ are not compared: the one text takes the place of the other. */
const MOST_EDITS = 1500

/**
 * Compares two texts line by line, with a few lines around each change. Bounded: of texts with more than a
 * thousand differing lines all lines are told as changed.
 *
 * @example diffLines('a\nb', 'a\nc') // [{ kind: 'same', text: 'a' }, { kind: 'removed', text: 'b' }, { kind: 'added', text: 'c' }]
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [one, other] = [linesOf(before), linesOf(after)]
  const matches = matchesOf(one, other, MOST_EDITS) ?? []
  const lines: Exclude<DiffLine, { kind: 'gap' }>[] = []
  const at = { left: 0, right: 0 }
  const take = (texts: readonly string[], kind: 'same' | 'added' | 'removed') => {
    for (const text of texts) lines.push({ kind, text })
  }
  for (const { left, right, length } of [...matches, { left: one.length, right: other.length, length: 0 }]) {
    take(one.slice(at.left, left), 'removed')
    take(other.slice(at.right, right), 'added')
    take(one.slice(left, left + length), 'same')
    at.left = left + length
    at.right = right + length
  }
  return withGaps(lines)
}

/** A text that ends with a line break has no empty line after it. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

function withGaps(lines: readonly Exclude<DiffLine, { kind: 'gap' }>[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length)
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') isNear.fill(1, Math.max(0, at - AROUND), at + AROUND + 1)
  const shown: DiffLine[] = []
  for (const [at, line] of lines.entries()) {
    const last = shown.at(-1)
    if (isNear[at]) shown.push(line)
    else if (last?.kind === 'gap') last.count += 1
    else shown.push({ kind: 'gap', count: 1 })
  }
  return shown
}

/** Counts the lines that a diff adds and removes. */
export const changedIn = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
})
