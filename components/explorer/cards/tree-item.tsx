import type { HTMLAttributes } from 'react'
import { laneStyle } from '@/components/app/lane'
import type { ItemId } from '@/lib/graph'

interface TreeItemProps extends HTMLAttributes<HTMLDivElement> {
  item: { id: ItemId; row: number; lane: number }
  /** its place among its neighbours in the tree, from 1, and how many there are */
  position: number
  siblings: number
  /** Tab reaches it */
  tab: boolean
}

/** An item of the tree: what is hit of its mark. The canvas around it handles its events, so it holds nothing but its looks. */
export function TreeItem({ item, position, siblings, tab, ...props }: TreeItemProps) {
  return (
    <div
      role="treeitem"
      data-item={item.id}
      aria-level={item.row + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      tabIndex={tab ? 0 : -1}
      style={laneStyle(item.lane)}
      className="group/card pointer-events-auto relative h-full rounded-full focus-visible:outline-offset-0"
      {...props}
    />
  )
}
