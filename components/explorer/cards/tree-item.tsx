import type { CSSProperties, HTMLAttributes } from 'react'
import { laneStyle } from '@/components/app/lane'
import type { ItemId } from '@/lib/graph'

interface TreeItemProps extends HTMLAttributes<HTMLDivElement> {
  item: { id: ItemId; row: number; lane: number }
  /** its place among its neighbours in the tree, from 1, and how many there are */
  position: number
  siblings: number
  /** Tab reaches it */
  tab: boolean
  /** how wide its text may be, in the drawing's pixels */
  textRoom: number
}

/** An item of the tree. The canvas around it handles its events, so it holds nothing but its looks. */
export function TreeItem({ item, position, siblings, tab, textRoom, ...props }: TreeItemProps) {
  return (
    <div
      role="treeitem"
      data-item={item.id}
      aria-level={item.row + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      tabIndex={tab ? 0 : -1}
      style={{ ...laneStyle(item.lane), '--room': `${textRoom}px` } as CSSProperties}
      className="group/card pointer-events-auto relative flex h-full items-center rounded-lg focus-visible:outline-offset-3 group-data-far/graph:w-(--gutter) group-data-mid/graph:w-[calc(var(--gutter)+var(--room))] group-data-mid/graph:max-w-(--text-most)"
      {...props}
    />
  )
}
