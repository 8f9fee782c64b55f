'use client'

import {
  type ComponentProps,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { withoutCode } from '@/components/app/new-version'
import { graphId } from '@/components/app/paths'
import { unreached } from '@/components/app/problem'
import { GraphSkeleton } from '@/components/app/skeletons'
import { useOnClient } from '@/components/app/use-on-client'
import { pointing } from '@/components/app/use-pointing'
import { barHeight, barPlace } from '@/components/explorer/bar-place'
import type { Size } from '@/components/explorer/model/geometry'
import type { TimeTravel } from '@/components/explorer/model/graph-props'
import { OutlinePicture } from '@/components/explorer/outline/outline-picture'
import type { Loading } from '@/components/session/read-chat'
import type { useHistory } from '@/components/session/use-history'
import { preloadReplies } from '@/components/thread/markdown/preload-replies'
import { Button } from '@/components/ui/button'
import type { Problem } from '@/lib/protocol'
import { GraphHint } from './first-minute/graph-hint'

const graphPointing = pointing(
  'graph',
  (element) => element.closest<HTMLElement>('[data-graph-node]')?.dataset.graphNode,
)

type Explorer = typeof import('@/components/explorer/conversation-graph')['default']

interface GraphPanelProps
  extends Omit<ComponentProps<Explorer>, 'travel' | 'opening'>,
    Pick<TimeTravel, 'onLook' | 'frame'> {
  history: ReturnType<typeof useHistory>
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
export function GraphPanel(props: GraphPanelProps) {
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} id={graphId} className="h-full">
      <LoadedGraph {...props} opening={() => roomBelowBar(place.current)} />
    </div>
  )
}

function roomBelowBar(panel: HTMLElement | null): Size | null {
  if (!panel || panel.clientHeight <= barHeight) return null
  return { width: panel.clientWidth, height: panel.clientHeight - barHeight }
}

function LoadedGraph({
  arriving,
  history,
  frame,
  onLook,
  onLookOver,
  onBranchFromThen,
  note,
  hint,
  onHintClose,
  ...props
}: GraphPanelProps & Pick<ComponentProps<Explorer>, 'opening'>) {
  const { Explorer, problem, again, opensWithPage } = useExplorer()
  if (arriving) return <Arriving {...arriving} />
  if (problem) return <Arriving problem={problem} again={again} />
  if (!Explorer) return opensWithPage ? <ServerPicture {...props} /> : <GraphSkeleton />
  const travel: TimeTravel = {
    ...history,
    onOpen(isOpen) {
      history.onOpen(isOpen)
      if (!isOpen) onLookOver()
    },
    onGo(position) {
      history.onGo(position)
      if (position === null) onLookOver()
    },
    frame,
    onLook,
    onBranchFrom: onBranchFromThen,
  }
  return (
    <div className="flex h-full flex-col">
      {/* a click on anything of the graph is its first use; on its way up, so that both are drawn at once */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is clicked is in it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked has keys of its own */}
      <div
        className="relative min-h-0 flex-1"
        {...graphPointing}
        onPointerOverCapture={preloadReplies}
        onFocusCapture={preloadReplies}
        onClick={onHintClose}
      >
        <Explorer {...props} {...(!props.readOnly && { travel })} />
      </div>
      {note}
      {hint && <GraphHint onClose={onHintClose} />}
    </div>
  )
}

/** The code of the explorer, once it has loaded on this page. */
let known: Explorer | null = null

/** Loads the code of the explorer, so that a graph that comes later comes whole. */
export async function loadExplorer(): Promise<void> {
  const loaded = await import('@/components/explorer/conversation-graph').catch(withoutCode)
  known = loaded.default
}

/** Loads the code of the explorer, which the page can be read without. */
function useExplorer() {
  const onClient = useOnClient()
  // drawn with the page by the server, or later by the browser
  const [opensWithPage, setOpensWithPage] = useState(!onClient)
  const [Explorer, setExplorer] = useState(() => known)
  const [problem, setProblem] = useState<Problem | null>(null)
  const load = () => {
    setProblem(null)
    loadExplorer().then(
      // the graph is drawn in slices: keys and clicks meanwhile are not held up
      () => startTransition(() => setExplorer(() => known)),
      () => {
        setProblem(unreached)
        // the picture is gone with the message about it
        setOpensWithPage(false)
      },
    )
  }
  const first = useEffectEvent(() => Explorer ?? load())
  // the server does not know of a graph that is hidden: its panel is gone before its code would be asked for
  useEffect(() => void (onClient && first()), [onClient])
  return { Explorer, problem, again: load, opensWithPage }
}

/**
 * The first view of the graph as the server has drawn it. Its code is in no script of the page: in the browser React
 * takes the HTML over as it stands. The server draws the docked graph, and does not know of another choice.
 */
function ServerPicture({ graph, branchId }: Pick<GraphPanelProps, 'graph' | 'branchId'>) {
  if (typeof window !== 'undefined') {
    // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, what is there stays
    return <div className="h-full" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  }
  return (
    <div className="h-full">
      <div className="flex h-full flex-col">
        {graph.nodes.length > 0 && <div className={barPlace} />}
        <div className="min-h-0 flex-1">
          <OutlinePicture graph={graph} branchId={branchId} />
        </div>
      </div>
    </div>
  )
}

function Arriving({ problem, again }: Pick<Loading, 'problem' | 'again'>) {
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
