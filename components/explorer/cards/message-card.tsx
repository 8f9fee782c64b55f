'use client'

import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useInView, useLit } from '@/components/app/pointed-at'
import { cn } from '@/components/ui/cn'
import type { MessageFlowNode } from '../model/flow'
import { cardName } from '../model/words'
import { MapWords } from './map-words'
import { ContextMark, HeldMarks, OriginMark, StatusMark } from './status-mark'
import { TreeItem } from './tree-item'

const pointedRing = 'group-hover/card:ring-2 group-hover/card:ring-(--lane)/40'

/** One message in the tree: its mark is drawn with its line, its words stand beside it where they have room. */
export const MessageCard = memo(function MessageCard({ data }: NodeProps<MessageFlowNode>) {
  const { item, lit, head, selected, marked, description, position, siblings, tab, contextChanged } = data
  const { said, left, top, size, asks, origin } = data
  const { node } = item
  const name = cardName(node)
  const pointedAt = useLit(node.id)
  const inView = useInView(node.id)
  const isWritten = node.status === 'streaming'
  return (
    <TreeItem
      item={item}
      position={position}
      siblings={siblings}
      tab={tab}
      size={size}
      data-graph-node={node.id}
      data-lit={pointedAt || undefined}
      data-in-view={inView || undefined}
      aria-label={name}
      aria-description={description}
      aria-selected={selected || marked}
      aria-current={head ? 'true' : undefined}
    >
      <span
        aria-hidden
        className={cn(
          'absolute top-1/2 left-1/2 z-1 size-[19px] -translate-x-1/2 -translate-y-1/2 pointer-events-none rounded-full',
          selected ? 'ring-2 ring-ink' : head ? 'ring-2 ring-accent' : pointedRing,
          (marked || isWritten) && 'border-dashed',
          marked && 'bg-accent-soft',
          node.status === 'failed'
            ? 'border-2 border-danger'
            : (marked || isWritten) && 'border-2 border-(--lane)',
        )}
      />
      {said && (
        <MapWords said={said} left={left} top={top} lit={lit} className={head ? 'font-medium' : undefined}>
          <bdi className={cn(isWritten && 'caret')}>{said.text}</bdi>
          <Marks node={node} contextChanged={contextChanged} asks={asks} origin={origin} />
        </MapWords>
      )}
      <button type="button" tabIndex={-1} aria-label={name} className="absolute inset-0 rounded-full" />
    </TreeItem>
  )
})

type MarksProps = Pick<MessageFlowNode['data'], 'contextChanged' | 'asks' | 'origin'> &
  Pick<MessageFlowNode['data']['item'], 'node'>

/** The state and the contents of a message, after its words in their last line. */
function Marks({ node, contextChanged, asks, origin }: MarksProps) {
  if (node.status === 'done' && !contextChanged && !node.holds?.length && origin === null) return null
  return (
    <span className="ml-1 inline-flex h-4 items-center gap-1 align-top">
      <OriginMark node={node} words={origin} />
      <HeldMarks node={node} asks={asks} />
      {contextChanged && <ContextMark />}
      <StatusMark status={node.status} />
    </span>
  )
}
