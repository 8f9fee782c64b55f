import type { MoveEntry } from '@/lib/protocol'

/** A line of the history, and what became of it. */
export interface HistoryLine {
  entry: MoveEntry
  /** it is a move that was taken back, and not made again */
  isUndone: boolean
  /** number of later moves that are in force: Undo to here takes them back */
  later: number
}

/** The lines with their standing; the latest stands first. Linear. */
export function withStanding(moves: readonly MoveEntry[]): HistoryLine[] {
  const undone = new Map<number, boolean>()
  let made = 0
  return moves.map((entry) => {
    const { kind, moveSeq } = entry
    const later = made
    // the latest entry about a move counts
    if (kind !== 'move' && moveSeq !== undefined && !undone.has(moveSeq))
      undone.set(moveSeq, kind === 'undone')
    const isUndone = kind === 'move' && moveSeq !== undefined && undone.get(moveSeq) === true
    if (kind === 'move' && moveSeq !== undefined && !isUndone) made += 1
    return { entry, isUndone, later }
  })
}

/** True when Undo can go back to a line: the log can bring back the state after it. */
export const isWayBack = ({ entry, isUndone, later }: HistoryLine): boolean =>
  later > 0 && !isUndone && (entry.kind === 'move' || entry.kind === 'turns')

/** Lines by the day they are from, in their order. */
export function byDay(lines: readonly HistoryLine[]): { day: string; lines: HistoryLine[] }[] {
  const days: { day: string; lines: HistoryLine[] }[] = []
  for (const line of lines) {
    const day = new Date(line.entry.at).toDateString()
    const last = days.at(-1)
    if (last?.day === day) last.lines.push(line)
    else days.push({ day, lines: [line] })
  }
  return days
}
