'use client'

import type { NodeProps } from '@xyflow/react'
import { type CSSProperties, memo } from 'react'
import { cn } from '@/components/ui/cn'
import type { MessageFlowNode } from '../model/flow'
import { laneColor, nameOf } from '../words'
import { CardFace } from './card-face'

/** One message in the tree. What happens to it is heard by the canvas around it, so it needs nothing but its looks. */
export const NodeCard = memo(function NodeCard({ data }: NodeProps<MessageFlowNode>) {
  const { item, position, siblings, lit, head, selected, marked, labelled, description, tab } = data
  const { node } = item
  const name = nameOf(node)
  return (
    <div
      role="treeitem"
      data-item={item.id}
      data-graph-node={node.id}
      aria-label={name}
      aria-description={description}
      aria-level={item.row + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={selected || marked}
      aria-current={head ? 'true' : undefined}
      tabIndex={tab ? 0 : -1}
      style={{ '--lane': laneColor(node.lane) } as CSSProperties}
      className="group/card pointer-events-auto relative flex h-full items-center rounded-lg focus-visible:outline-offset-3"
    >
      <CardFace node={node} lit={lit} head={head} selected={selected} marked={marked} labelled={labelled} />
      <button
        type="button"
        tabIndex={-1}
        aria-label={name}
        className={cn(
          'absolute inset-0 rounded-lg group-data-far/graph:right-auto group-data-far/graph:w-6',
          // what labels lie on is theirs
          labelled &&
            'bottom-auto h-1/2 group-data-mid/graph:right-auto group-data-mid/graph:h-full group-data-mid/graph:w-6',
        )}
      />
    </div>
  )
})
