'use client'

import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useInView, useLit } from '@/components/app/pointed-at'
import { cn } from '@/components/ui/cn'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'
import type { MessageFlowNode } from '../model/flow'
import { cardName, previewOf } from '../model/words'
import { ContextMark, HeldMarks, OriginMark, StatusMark } from './status-mark'
import { TreeItem } from './tree-item'

/** One message in the tree. */
export const MessageCard = memo(function MessageCard({ data }: NodeProps<MessageFlowNode>) {
  const { item, lit, head, selected, marked, labelled, description, position, siblings, tab, textRoom } = data
  const { contextChanged, asks } = data
  const { node } = item
  const name = cardName(node)
  const pointedAt = useLit(node.id)
  const inView = useInView(node.id)
  return (
    <TreeItem
      {...{ item, position, siblings, tab }}
      textRoom={labelled ? 0 : textRoom}
      data-graph-node={node.id}
      data-lit={pointedAt || undefined}
      data-in-view={inView || undefined}
      aria-label={name}
      aria-description={description}
      aria-selected={selected || marked}
      aria-current={head ? 'true' : undefined}
    >
      <CardFace {...{ node, lit, head, selected, marked, labelled, contextChanged, asks }} />
      <button type="button" tabIndex={-1} aria-label={name} className="absolute inset-0 rounded-lg" />
    </TreeItem>
  )
})

type Looks = MessageFlowNode['data']
type CardFaceProps = { node: GraphNode } & Pick<
  Looks,
  'lit' | 'head' | 'labelled' | 'contextChanged' | 'asks'
> &
  Partial<Pick<Looks, 'selected' | 'marked'>>

/**
 * The looks of a message: its mark on the lane, and beside it the beginning of its text, in letters that never become
 * smaller than they can be read; from far away the mark alone.
 */
function CardFace({ node, lit, head, labelled, contextChanged, asks, ...picked }: CardFaceProps) {
  const { selected = false, marked = false } = picked
  return (
    <>
      <NodeMark node={node} isHead={head} />
      <span
        aria-hidden
        className={cn(
          'flex h-full min-w-0 flex-1 items-center gap-1.5 rounded-lg border px-2',
          'group-hover/card:border-line-strong group-hover/card:bg-raised',
          lit ? 'border-line bg-raised text-ink' : 'border-line/60 bg-canvas text-faint',
          selected && 'border-(--lane) bg-raised text-ink group-hover/card:border-(--lane)',
          node.status === 'failed' && 'border-danger/60',
          head && 'border-accent ring-1 ring-accent group-hover/card:border-accent',
          marked && 'border-(--lane) border-dashed bg-accent-soft text-ink group-hover/card:bg-accent-soft',
          !head && !selected && !marked && 'group-data-mid/graph:border-transparent',
          !selected && !marked && 'group-data-mid/graph:bg-transparent',
          'group-data-mid/graph:min-h-(--text-least)',
          labelled && 'group-data-mid/graph:hidden',
          'group-data-far/graph:hidden',
        )}
      >
        <span className="line-clamp-(--lines) min-w-0 flex-1 text-(length:--letters) leading-[1.25] [overflow-wrap:anywhere]">
          {node.role !== 'assistant' && <span className="font-semibold">{speakerOf(node.role)}: </span>}
          <bdi className={cn(node.status === 'streaming' && 'caret')}>{previewOf(node)}</bdi>
        </span>
        <OriginMark node={node} />
        <HeldMarks node={node} asks={asks} />
        {contextChanged && <ContextMark />}
        <StatusMark status={node.status} />
      </span>
    </>
  )
}

/** The author, by shape as well as colour: a hollow square for you, a disc for the assistant, else a diamond. */
function NodeMark({ node, isHead }: { node: GraphNode; isHead: boolean }) {
  return (
    <span className="relative grid w-6 shrink-0 place-items-center self-stretch">
      {node.status === 'streaming' && (
        <>
          <span className="absolute size-4 animate-ping rounded-full bg-(--lane) opacity-40 motion-reduce:hidden" />
          {/* a shape too, for reduced motion and for the far view */}
          <span className="absolute size-6 rounded-full border-2 border-(--lane) border-dashed group-data-far/graph:scale-(--mark)" />
        </>
      )}
      <span
        className={cn(
          'relative size-3 group-data-far/graph:scale-(--mark)',
          isHead && 'ring-3 ring-accent-soft',
          node.role === 'user'
            ? 'rounded-[3px] border-[2.5px] border-(--lane) bg-canvas'
            : node.role === 'assistant'
              ? 'rounded-full bg-(--lane)'
              : 'rotate-45 rounded-[2px] border-2 border-(--lane) bg-canvas',
        )}
      />
    </span>
  )
}
