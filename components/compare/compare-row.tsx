'use client'

import type { ComparedSide } from '@/lib/graph'
import { diffWords } from '@/lib/graph/diff/diff-words'
import { messageText } from '../chat/message-text'
import { cn } from '../ui/cn'
import type { CompareRow as Row } from './compare-rows'
import { ComparedMessage } from './compared-message'
import { laneStyle, type Which } from './sides'

interface CompareRowProps {
  row: Row
  left: ComparedSide
  right: ComparedSide
  /** which of the two a narrow window shows */
  shown: Which
}

/** Two messages beside each other, and in what they differ. */
export function CompareRow({ row, left, right, shown }: CompareRowProps) {
  const diff = row.left && row.right ? diffWords(messageText(row.left), messageText(row.right)) : null
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
            style={laneStyle(side)}
            className={cn('min-w-0 px-3 py-1 md:px-5', which !== shown && 'max-md:hidden')}
          >
            {message && <ComparedMessage message={message} which={which} side={side} diff={diff} />}
          </div>
        )
      })}
    </div>
  )
}
