'use client'

import type { NodeProps } from '@xyflow/react'
import { type CSSProperties, memo } from 'react'
import type { FoldFlowNode } from '../model/flow'
import { foldWords, laneColor } from '../words'
import { FoldFace } from './fold-face'

/** A stretch of messages drawn as one. */
export const FoldCard = memo(function FoldCard({ data }: NodeProps<FoldFlowNode>) {
  const { item, position, siblings, lit, tab } = data
  const words = foldWords(item.nodes.length)
  return (
    <div
      role="treeitem"
      data-item={item.id}
      aria-label={`${words}, folded`}
      aria-level={item.row + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={false}
      aria-expanded={false}
      tabIndex={tab ? 0 : -1}
      style={{ '--lane': laneColor(item.lane) } as CSSProperties}
      className="group/card pointer-events-auto relative flex h-full items-center rounded-lg focus-visible:outline-offset-3"
    >
      <FoldFace count={item.nodes.length} lit={lit} />
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Show ${words}`}
        className="absolute inset-0 rounded-lg group-data-far/graph:right-auto group-data-far/graph:w-6"
      />
    </div>
  )
})
