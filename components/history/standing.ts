import type { MoveEntry } from '@/lib/protocol'

/** A line of the history, and what became of it. */
export interface HistoryLine {
  entry: MoveEntry
  /** it is a move that was taken back, and not made again */
  isUndone: boolean
  /** how many moves that are in force were made after it: Undo to here takes them back */
  later: number
}

/** What became of each line; the latest stands first. Linear. */
export function withStanding(moves: readonly MoveEntry[]): HistoryLine[] {
  const undone = new Map<number, boolean>()
  let made = 0
  return moves.map((entry) => {
    const { kind, moveSeq } = entry
    const later = made
    // the latest word on a move is the one that counts
    if (kind !== 'move' && moveSeq !== undefined && !undone.has(moveSeq))
      undone.set(moveSeq, kind === 'undone')
    const isUndone = kind === 'move' && moveSeq !== undefined && undone.get(moveSeq) === true
    if (kind === 'move' && moveSeq !== undefined && !isUndone) made += 1
    return { entry, isUndone, later }
  })
}

/** True when Undo can go back to a line: the state after it is one that the log can bring back. */
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
