'use client'

import '@xyflow/react/dist/style.css'
import { ReactFlowProvider } from '@xyflow/react'
import { EmptyGraph } from './empty-graph'
import { GraphCanvas } from './graph-canvas'
import type { ConversationGraphProps } from './graph-props'
import { useGraphModel } from './use-graph-model'
import { useSize } from './use-size'

/**
 * The explorer: every message of a chat as a tree of cards on lanes. It reports what was asked for and changes
 * nothing itself; what a selection opens is the parent's to decide. Needs a `HintProvider` above it.
 */
export default function ConversationGraph({ graph, pending = false, ...props }: ConversationGraphProps) {
  const model = useGraphModel(graph, props.branchId)
  const [frame, size] = useSize()
  const isEmpty = model.visible.nodes.length === 0
  return (
    <section
      ref={frame}
      aria-label="Conversation graph"
      aria-busy={pending}
      className="relative h-full w-full overflow-hidden bg-canvas"
    >
      {isEmpty && <EmptyGraph />}
      {!isEmpty && size && (
        <ReactFlowProvider key={graph.chatId}>
          <GraphCanvas {...props} model={model} size={size} />
        </ReactFlowProvider>
      )}
      {pending && <div aria-hidden className="absolute inset-x-0 top-0 z-30 h-0.5 animate-pulse bg-accent" />}
    </section>
  )
}
