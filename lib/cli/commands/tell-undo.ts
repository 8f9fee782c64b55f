import type { Terminal } from '../terminal'

/** Says how the move that was just made is taken back. */
export function tellUndo(terminal: Terminal): void {
  if (!terminal.json) terminal.note(terminal.style('dim', 'Take it back with: ramify undo'))
}
