'use client'

import type { NodeProps } from '@xyflow/react'
import { CircleStop, PenLine, TriangleAlert } from 'lucide-react'
import { type CSSProperties, memo, useEffect, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import type { GraphNode } from '@/lib/graph'
import type { MessageNode } from './flow'
import { NodeMark } from './node-mark'
import { useScene } from './scene'
import { authorOf, laneColor, nameOf, plainPreview, statusWords } from './words'

/** One message: its mark on the lane, and beside it who wrote it and how it begins. */
export const NodeCard = memo(function NodeCard({ data: { node } }: NodeProps<MessageNode>) {
  const scene = useScene()
  const item = useRef<HTMLDivElement>(null)
  const wanted = scene.wantsFocus === node.id
  useEffect(() => {
    if (wanted) item.current?.focus({ preventScroll: true })
  }, [wanted])

  const place = scene.visible.byId.get(node.id)
  const isHead = scene.headId === node.id
  const isSelected = scene.selectedId === node.id
  const isLit = scene.lit.has(node.id)
  const name = nameOf(node)
  return (
    <div
      ref={item}
      role="treeitem"
      data-graph-node={node.id}
      aria-label={name}
      aria-level={node.depth + 1}
      aria-posinset={place?.version}
      aria-setsize={place?.versions}
      aria-selected={isSelected}
      aria-current={isHead ? 'true' : undefined}
      tabIndex={scene.tabId === node.id ? 0 : -1}
      onFocus={() => scene.onFocused(node.id)}
      onKeyDown={(event) => scene.onKey(event, node.id)}
      style={{ '--lane': laneColor(node.lane) } as CSSProperties}
      className="pointer-events-auto h-full rounded-lg focus-visible:outline-offset-3"
    >
      <button
        type="button"
        tabIndex={-1}
        aria-label={name}
        onClick={() => scene.onPick(node.id)}
        onDoubleClick={() => scene.onBranchFrom(node.id)}
        className="flex h-full w-full items-center rounded-lg text-left"
      >
        <NodeMark node={node} isHead={isHead} />
        <span
          className={cn(
            'flex h-full min-w-0 flex-1 items-center gap-1.5 rounded-lg border px-2 text-xs transition-colors',
            'hover:border-line-strong hover:bg-raised',
            isLit ? 'bg-raised text-ink' : 'border-line/60 bg-canvas text-faint',
            isSelected && 'border-(--lane) bg-raised text-ink hover:border-(--lane)',
            node.status === 'failed' && 'border-danger/60',
            isHead && 'border-accent ring-2 ring-accent hover:border-accent',
            'group-data-far/graph:border-transparent group-data-far/graph:bg-(--lane)/25 group-data-far/graph:text-transparent',
            isLit && 'group-data-far/graph:bg-(--lane)/60',
          )}
        >
          <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
            <span className="font-semibold">{authorOf(node.role)}:</span>{' '}
            <bdi className={cn(node.status === 'streaming' && 'caret')}>{plainPreview(node.preview)}</bdi>
          </span>
          <StatusMark status={node.status} />
        </span>
      </button>
    </div>
  )
})

const statusMarks = {
  streaming: { Icon: PenLine, look: 'text-accent' },
  failed: { Icon: TriangleAlert, look: 'text-danger' },
  stopped: { Icon: CircleStop, look: 'text-warn' },
}

function StatusMark({ status }: { status: GraphNode['status'] }) {
  const word = statusWords[status]
  if (!word || status === 'done') return null
  const { Icon, look } = statusMarks[status]
  return (
    <span className={cn('flex shrink-0 items-center gap-1', look)}>
      <Icon size={12} aria-hidden /> {word}
    </span>
  )
}
