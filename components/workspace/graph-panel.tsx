'use client'

import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { GraphSkeleton } from '@/components/app/skeletons'
import { useOnClient } from '@/components/app/use-on-client'
import { pointing } from '@/components/app/use-pointing'
import { barPlace } from '@/components/explorer/bar-place'
import type { TimeTravel } from '@/components/explorer/model/graph-props'
import { OutlinePicture } from '@/components/explorer/outline/outline-picture'
import { GraphPicture } from '@/components/explorer/picture/graph-picture'
import type { Loading } from '@/components/session/read-chat'
import { useHistory } from '@/components/session/use-history'
import { Button } from '@/components/ui/button'
import { GraphHint } from './graph-hint'

const graphPointing = pointing(
  'graph',
  (element) => element.closest<HTMLElement>('[data-graph-node]')?.dataset.graphNode,
)

const ConversationGraph = lazy(() => import('@/components/explorer/conversation-graph'))

interface GraphPanelProps
  extends Omit<ComponentProps<typeof ConversationGraph>, 'travel'>,
    Pick<TimeTravel, 'onLook'> {
  /** the look at the past is over */
  onLookOver(): void
  /** a branch is opened during a look at the past */
  onBranchFromThen: TimeTravel['onBranchFrom']
  /** the load of the whole graph; null once it is there */
  arriving: Loading | null
  /** below the graph */
  note: ReactNode
  hint: boolean
  onHintClose(): void
}

/** The graph, once it and its code have loaded; until then the picture the server has drawn. */
export function GraphPanel({
  arriving,
  onLook,
  onLookOver,
  onBranchFromThen,
  note,
  hint,
  onHintClose,
  ...props
}: GraphPanelProps) {
  const history = useHistory(props.graph)
  const onClient = useOnClient()
  if (arriving) return <Arriving {...arriving} />
  const Picture = props.layout === 'outline' ? OutlinePicture : GraphPicture
  const picture = (
    <div className="flex h-full flex-col">
      {props.graph.nodes.length > 0 && <div className={barPlace} />}
      <div className="min-h-0 flex-1">
        <Picture graph={props.graph} branchId={props.branchId} />
      </div>
    </div>
  )
  if (!onClient) return picture
  const travel: TimeTravel = {
    ...history,
    onOpen(isOpen) {
      onHintClose()
      history.onOpen(isOpen)
      if (!isOpen) onLookOver()
    },
    onLook,
    onBranchFrom: onBranchFromThen,
  }
  return (
    <div className="flex h-full flex-col">
      {/* a click on anything of the graph is its first use; by then the click has its target */}
      <div className="relative min-h-0 flex-1" {...graphPointing} onClickCapture={onHintClose}>
        <Suspense fallback={picture}>
          <ConversationGraph {...props} travel={travel} />
        </Suspense>
      </div>
      {note}
      {hint && <GraphHint onClose={onHintClose} />}
    </div>
  )
}

function Arriving({ problem, again }: Loading) {
  if (!problem) return <GraphSkeleton />
  return (
    <div role="alert" className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <p className="max-w-64 text-muted text-sm">The graph could not be loaded. {problem.detail}</p>
      <Button size="sm" onClick={again}>
        Load the graph again
      </Button>
    </div>
  )
}
