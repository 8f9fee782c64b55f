'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { keysOf } from '@/components/actions/action'
import { type GraphLayout, leaveFullWindow } from '@/components/actions/on-chat'
import { createApi, getJson } from '@/components/app/api'
import { withoutCode } from '@/components/app/new-version'
import { LoadFailed } from '@/components/app/notice'
import { problemOf } from '@/components/app/problem'
import { GraphSkeleton } from '@/components/app/skeletons'
import { useKeys } from '@/components/app/use-keys'
import { cn } from '@/components/ui/cn'
import { useOnChange } from '@/components/ui/use-on-change'
import type { BranchId, MessageId } from '@/lib/events'
import { type PackedGraph, unpackGraph } from '@/lib/graph'
import type { Graph, Problem } from '@/lib/protocol'
import { sharedPath } from './shared-path'

type Explorer = typeof import('@/components/explorer/conversation-graph')['default']

interface SharedGraphProps {
  token: string
  signedIn: boolean
  /** the branch that is read */
  branchId: BranchId
  /** the message that was gone to */
  atId: MessageId | null
  /** something else is read from now on */
  onRead(): void
}

/** The graph of another person's chat: a click opens a message, and nothing can be changed. */
export function SharedGraph({ token, signedIn, branchId, atId, onRead }: SharedGraphProps) {
  const router = useRouter()
  const { loaded, problem, again } = useGraph(token, signedIn)
  const [layout, setLayout] = useState<GraphLayout>('outline')
  const [full, setFull] = useState(false)
  const place = { graphFull: full, fillGraph: () => setFull(!full), layout, setLayout }
  useKeys(keysOf([leaveFullWindow], place))
  if (problem) {
    return (
      <div className="p-4">
        <LoadFailed problem={problem} onAgain={again} />
      </div>
    )
  }
  if (!loaded) return <GraphSkeleton />
  const { graph, Explorer } = loaded
  const read = (place: { branch?: BranchId; at?: MessageId }) => {
    setFull(false)
    onRead()
    router.push(sharedPath(token, place))
  }
  const readAt = (at: MessageId) => read({ branch: branchId, at })
  return (
    <div className={cn('h-full', full && 'fixed inset-0 z-30')}>
      <Explorer
        graph={graph}
        branchId={branchId}
        layout={layout}
        full={full}
        readOnly
        selectedId={atId}
        onLayout={setLayout}
        onFull={setFull}
        onSelect={readAt}
        onOpen={readAt}
        onBranchFrom={readAt}
        onDeselect={nothing}
        switchTo={(branch) => read({ branch })}
        saveCheckpoint={nothing}
        removeCheckpoint={nothing}
        restore={nothing}
        renameBranch={nothing}
        replay={nothing}
        share={nothing}
        merging={nothing}
        archive={nothing}
        unarchive={nothing}
      />
    </div>
  )
}

/** Stands for an act that a reader cannot do. */
const nothing = () => undefined

/** The graph and the code that draws it, once both have come. */
function useGraph(token: string, signedIn: boolean) {
  const [loaded, setLoaded] = useState<{ graph: Graph; Explorer: Explorer } | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [attempt, setAttempt] = useState(0)
  useOnChange([token, signedIn, attempt], () => {
    const leaving = new AbortController()
    const api = createApi({ signedIn, onSignIn: () => undefined })
    Promise.all([
      getJson<PackedGraph>(api, `/s/${token}/graph`, leaving.signal),
      import('@/components/explorer/conversation-graph').catch(withoutCode),
    ]).then(
      ([graph, { default: Explorer }]) =>
        !leaving.signal.aborted && setLoaded({ graph: unpackGraph(graph), Explorer }),
      (error: unknown) => !leaving.signal.aborted && setProblem(problemOf(error)),
    )
    return () => leaving.abort()
  })
  return {
    loaded,
    problem,
    again() {
      setProblem(null)
      setAttempt(attempt + 1)
    },
  }
}
