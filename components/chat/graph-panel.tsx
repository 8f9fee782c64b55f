'use client'

import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import { Skeleton } from '../ui/skeleton'
import { GraphHint } from './graph-hint'

const ConversationGraph = dynamic(() => import('../graph'), { ssr: false, loading: GraphSkeleton })

interface GraphPanelProps extends ComponentProps<typeof ConversationGraph> {
  hint: boolean
  onHintClose(): void
}

export function GraphPanel({ hint, onHintClose, ...props }: GraphPanelProps) {
  return (
    <div className="relative h-full">
      <ConversationGraph {...props} />
      {hint && <GraphHint onClose={onHintClose} />}
    </div>
  )
}

/** Cards on a lane, before React Flow has arrived. */
export function GraphSkeleton() {
  const rows = [0, 0, 1, 0, 1, 0]
  return (
    <div role="status" aria-label="Loading the graph" className="flex h-full flex-col gap-4 overflow-hidden p-8">
      {rows.map((lane, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: place holders have no identity
        <div key={at} className="flex items-center gap-3" style={{ paddingInlineStart: lane * 32 }}>
          <Skeleton className="size-3 shrink-0 rounded-full" />
          <Skeleton className="h-8 w-44" />
        </div>
      ))}
    </div>
  )
}
