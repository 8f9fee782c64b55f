import type { Range } from '@/lib/graph/diff/diff-words'
import { piecesOf } from '@/lib/graph/diff/pieces'

interface MarkedWordsProps {
  text: string
  /** `ins` for parts that only this text has, `del` for parts that only the text before it had */
  tag: 'ins' | 'del'
  /** the parts that are marked */
  ranges: readonly Range[]
}

/** A text with some of its words marked. */
export const MarkedWords = ({ text, tag: Mark, ranges }: MarkedWordsProps) =>
  piecesOf(text, ranges).map((piece, at) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
      <Mark key={at} data-words="">
        {piece.text}
      </Mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <span key={at}>{piece.text}</span>
    ),
  )
