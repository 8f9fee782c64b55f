'use client'

import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import { GraphHint } from './graph-hint'
import { GraphSkeleton } from './skeletons'

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
