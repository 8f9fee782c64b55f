'use client'

import type { NodeProps } from '@xyflow/react'
import { ChevronsUpDown } from 'lucide-react'
import { memo } from 'react'
import { cn } from '@/components/ui/cn'
import type { FoldFlowNode } from '../model/flow'
import { foldWords } from '../model/words'
import { TreeItem } from './tree-item'

/** A stretch of messages drawn as one. */
export const FoldCard = memo(function FoldCard({ data }: NodeProps<FoldFlowNode>) {
  const { item, lit, position, siblings, tab, textRoom } = data
  const words = foldWords(item.nodes)
  return (
    <TreeItem
      {...{ item, position, siblings, tab, textRoom }}
      aria-label={`${words}, folded`}
      aria-selected={false}
      aria-expanded={false}
    >
      <FoldFace words={words} lit={lit} />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Show ${words}`}
        className="absolute inset-0 rounded-lg"
      />
    </TreeItem>
  )
})

/** How a folded stretch looks. */
function FoldFace({ words, lit }: { words: string; lit: boolean }) {
  return (
    <>
      <span className="grid w-6 shrink-0 place-items-center gap-[3px] self-stretch py-2">
        <span className="grid gap-[3px] bg-canvas py-0.5 group-data-far/graph:scale-(--mark)">
          {[0, 1, 2].map((dot) => (
            <span key={dot} className="size-[5px] rounded-full bg-(--lane)" />
          ))}
        </span>
      </span>
      <span
        aria-hidden
        className={cn(
          'flex h-6 items-center gap-1 rounded-full border px-2.5 text-xs tabular-nums touch:h-9',
          'group-hover/card:border-line-strong group-hover/card:bg-raised group-hover/card:text-ink',
          'group-data-mid/graph:h-full group-data-mid/graph:min-w-0 group-data-mid/graph:border-transparent group-data-mid/graph:bg-transparent group-data-mid/graph:text-(length:--letters)',
          'group-data-far/graph:hidden',
          lit ? 'border-line bg-raised text-muted' : 'border-line/60 text-faint',
        )}
      >
        {/* where the room is narrow the word wraps onto a second line, which is cut off; the number stays */}
        <span className="flex h-[1lh] flex-wrap gap-x-1 overflow-hidden leading-[1.25]">
          {words.split(' ').map((word, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
            <span key={at}>{word}</span>
          ))}
        </span>
        <ChevronsUpDown size={12} aria-hidden className="group-data-mid/graph:hidden" />
      </span>
    </>
  )
}
