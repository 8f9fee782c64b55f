import type { HTMLAttributes } from 'react'
import { useLaneStyle } from '@/components/app/lane'
import type { ItemId } from '@/lib/graph'
import type { Size } from '../model/geometry'

interface TreeItemProps extends HTMLAttributes<HTMLDivElement> {
  item: { id: ItemId; row: number; lane: number }
  /** its place among its neighbours in the tree, from 1, and how many there are */
  position: number
  siblings: number
  /** Tab reaches it */
  tab: boolean
  /** the size of the hit target on the screen */
  size: Size
}

/**
 * An item of the tree: the hit target of its mark, laid out in px of the screen, since a browser rounds boxes before
 * it enlarges them. The canvas around it handles its events, so it holds nothing but its looks.
 */
export function TreeItem({ item, position, siblings, tab, size, ...props }: TreeItemProps) {
  const laneStyle = useLaneStyle()
  return (
    <div
      role="treeitem"
      data-item={item.id}
      aria-level={item.row + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      tabIndex={tab ? 0 : -1}
      style={{ ...laneStyle(item.lane), ...size }}
      className="group/card pointer-events-auto relative origin-top-left rounded-full [transform:scale(var(--unzoom))] focus-visible:outline-offset-0"
      {...props}
    />
  )
}
