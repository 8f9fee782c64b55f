import { diffWords } from '@/lib/graph/diff/diff-words'
import { piecesOf } from '@/lib/graph/diff/pieces'
import type { Terminal } from '../terminal'

/** Two texts as lines that begin with `-` and `+`; words of only one text are marked. */
export function diffLines(terminal: Terminal, left: string, right: string): string[] {
  const diff = diffWords(left, right)
  if (diff.kind === 'same') return prefixed('  ', right)
  const [removed, added] =
    diff.kind === 'changed'
      ? [
          piecesOf(left, diff.left).map((piece) => (piece.marked ? `[-${piece.text}-]` : piece.text)),
          piecesOf(right, diff.right).map((piece) => (piece.marked ? `{+${piece.text}+}` : piece.text)),
        ]
      : [[left], [right]]
  return [
    ...prefixed('- ', removed.join('')).map((line) => terminal.style('red', line)),
    ...prefixed('+ ', added.join('')).map((line) => terminal.style('green', line)),
  ]
}

/** A text that one side alone has. */
export const onlyLines = (terminal: Terminal, sign: '-' | '+', text: string): string[] =>
  prefixed(`${sign} `, text).map((line) => terminal.style(sign === '-' ? 'red' : 'green', line))

const prefixed = (sign: string, text: string): string[] =>
  text.split('\n').map((line) => `${sign}${line}`.trimEnd())
