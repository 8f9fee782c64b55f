'use client'

import { useReducer, useState } from 'react'
import { placeNext } from '@/lib/graph/place-next'
import type { ChatActions, ChatView } from '@/lib/protocol'
import { changeChat, headOf, openChat } from './chat-state'
import { liveGraph } from './live-graph'
import { threadRows } from './thread-rows'
import { useBodies } from './use-bodies'
import { useBranchUrl } from './use-branch-url'
import { useLive } from './use-live'
import { useMoves } from './use-moves'
import { useSending } from './use-sending'
import { useWholeGraph } from './use-whole-graph'

/** All there is to a chat but its looks: state, and what can be done to it. */
export function useChatSession(view: ChatView, actions: ChatActions, isNew: boolean) {
  const [state, dispatch] = useReducer(changeChat, null, () => openChat(view, isNew))
  const [suggested, setSuggested] = useState<string | null>(null)
  const moves = useMoves(state, dispatch, actions)
  const sending = useSending(state, dispatch, moves, setSuggested)
  const live = useLive(state, dispatch)
  useBranchUrl(state, dispatch)

  const { index, branchId, turns, floor, ceiling } = state
  const turn = turns.find((candidate) => candidate.branchId === branchId) ?? null
  const headId = turn ? turn.base : headOf(index, branchId)
  const thread = threadRows(index, state.bodies, headId, { floor, ceiling })
  const loading = useBodies(index.graph.chatId, branchId, thread.missing, dispatch)
  const wholeGraph = useWholeGraph(state, dispatch)
  /** the branch is known, its messages are not yet */
  const waits = headId !== null && !index.byId(headId)

  return {
    state,
    dispatch,
    moves,
    sending,
    live,
    suggested,
    turn,
    /** the lane new messages will be in */
    turnLane: turn?.user ? placeNext(index, turn.base).lane : ((headId && index.byId(headId)?.lane) ?? 0),
    head: (headId !== null && index.byId(headId)) || null,
    thread,
    loading,
    /** the row before which messages are on their way */
    loadingAt: waits ? 0 : loading.loading ? (thread.missing?.at ?? null) : null,
    /** null once the graph is there */
    wholeGraph: state.whole ? null : wholeGraph,
    graph: liveGraph(index, turns),
  }
}
