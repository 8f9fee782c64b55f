'use client'

import { type Dispatch, useEffect, useEffectEvent, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import type { PackedGraph } from '@/lib/graph'
import { unpackGraph } from '@/lib/graph/pack-graph'
import type { Graph, Problem } from '@/lib/protocol'
import type { ChatAction, ChatState } from './chat-state'

/** A graph on its way, or what keeps it away. */
export interface ArrivingGraph {
  problem: Problem | null
  again(): void
}

/** Fetches the graph of a chat that opened with its thread alone. */
export function useWholeGraph({ index, whole }: ChatState, dispatch: Dispatch<ChatAction>): ArrivingGraph {
  const { api } = useApp()
  const { chatId } = index.graph
  const [problem, setProblem] = useState<Problem | null>(null)
  const [attempt, setAttempt] = useState(0)
  const again = () => {
    setProblem(null)
    setAttempt((before) => before + 1)
  }

  const take = useEffectEvent((graph: Graph) => {
    if (graph.seq < index.graph.seq) again()
    else dispatch({ type: 'whole', graph })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` counts the times it was asked for
  useEffect(() => {
    if (whole) return
    const gone = new AbortController()
    getJson<PackedGraph>(api, `/api/chats/${encodeURIComponent(chatId)}/graph?columns=nodes`, gone.signal)
      .then((packed) => take(unpackGraph(packed)))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setProblem(problemOf(error, unreached))
      })
    return () => gone.abort()
  }, [api, chatId, whole, attempt])

  return { problem, again }
}
