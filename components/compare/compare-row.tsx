'use client'

import { wordsOf } from '@/components/session/messages'
import { DrawnLater } from '@/components/thread/markdown/drawn-later'
import { type Drawing, useFirstDrawn } from '@/components/thread/markdown/first-drawn'
import { diffWords, type WordDiff } from '@/lib/graph/diff/diff-words'
import type { ComparedSide } from '@/lib/protocol'
import { cn } from '../ui/cn'
import type { CompareRow as Row } from './compare-rows'
import { ComparedMessage } from './compared-message'
import { sideStyle, type Which } from './sides'

interface CompareRowProps {
  row: Row
  left: ComparedSide
  right: ComparedSide
  /** the side that a narrow window shows */
  shown: Which
  /** it waits until it is seen: the page has enough to draw */
  later: boolean
}

interface CompareRowsProps extends Omit<CompareRowProps, 'row' | 'later'> {
  rows: readonly Row[]
}

/** The rows of two branches; rows beyond a page's budget are drawn and compared when they are seen. */
export function CompareRows({ rows, ...props }: CompareRowsProps) {
  const drawn = useFirstDrawn(rows.map(drawingOf).toReversed())
  return rows.map((row) => (
    <CompareRow key={row.key} row={row} later={drawn.get(row.key) === false} {...props} />
  ))
}

/** A row is read from the top, and costs what its two texts do. */
const drawingOf = ({ key, left, right }: Row): Drawing => ({
  id: key,
  texts: [left, right].flatMap((message) =>
    message ? { author: message.role, text: wordsOf(message) } : [],
  ),
})

/** Two messages beside each other, and their difference. */
function CompareRow({ later, ...props }: CompareRowProps) {
  if (!later) return <ComparedRow {...props} />
  return (
    <DrawnLater standIn={<RowFrame {...props} diff={null} passing />}>
      <ComparedRow {...props} />
    </DrawnLater>
  )
}

type RowProps = Omit<CompareRowProps, 'later'>

function ComparedRow(props: RowProps) {
  const { row } = props
  const diff = row.left && row.right ? diffWords(wordsOf(row.left), wordsOf(row.right)) : null
  return <RowFrame {...props} diff={diff} passing={false} />
}

interface RowFrameProps extends RowProps {
  diff: WordDiff | null
  passing: boolean
}

function RowFrame({ row, left, right, shown, diff, passing }: RowFrameProps) {
  return (
    <div
      data-row
      className={cn(
        'grid md:grid-cols-2',
        row.begins && 'md:border-line md:border-t md:first:border-t-0',
        row[shown] === null && 'max-md:hidden',
      )}
    >
      {(['left', 'right'] as const).map((which) => {
        const message = row[which]
        const side = which === 'left' ? left : right
        return (
          <div
            key={which}
            style={sideStyle(side)}
            className={cn('min-w-0 px-3 py-1 md:px-5', which !== shown && 'max-md:hidden')}
          >
            {message && (
              <ComparedMessage message={message} which={which} side={side} diff={diff} passing={passing} />
            )}
          </div>
        )
      })}
    </div>
  )
}
