'use client'

import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FoldFlowNode } from '../model/flow'
import { foldWords } from '../model/words'
import { MapWords } from './map-words'
import { TreeItem } from './tree-item'

/** A stretch of messages drawn as one: a part of its line, and how many it holds. */
export const FoldCard = memo(function FoldCard({ data }: NodeProps<FoldFlowNode>) {
  const { item, lit, position, siblings, tab, said, left, top, size } = data
  const words = foldWords(item.nodes)
  return (
    <TreeItem
      item={item}
      position={position}
      siblings={siblings}
      tab={tab}
      size={size}
      aria-label={`${words}, folded`}
      aria-selected={false}
      aria-expanded={false}
    >
      {said && (
        <MapWords said={said} left={left} top={top} lit={lit} className="tabular-nums">
          <span>{said.text}</span>
        </MapWords>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Show ${words}`}
        className="absolute inset-0 rounded-full"
      />
    </TreeItem>
  )
})
