'use client'

import { startTransition, useReducer, useState } from 'react'
import { type PackedGraph, placeNext, unpackGraph, withLiveReplies } from '@/lib/graph'
import type { ChatActions, ChatView, ThreadWindow } from '@/lib/protocol'
import { changeChat, headOf, openChat } from './chat-session'
import { useLive } from './live-connection'
import { chatUrl, messagesUrl, useLoaded } from './read-chat'
import { threadRows } from './thread-rows'
import { useBranchUrl } from './use-branch-url'
import { useDrafts } from './use-drafts'
import { useMoves } from './use-moves'
import { useSending } from './use-sending'

/** The most messages the server gives in one answer. */
const atOnce = 200

/** The session of a chat: its state, its view for the page, and its actions. */
export function useChatSession(view: ChatView, actions: ChatActions, isNew: boolean) {
  const [state, dispatch] = useReducer(changeChat, null, () => openChat(view, isNew))
  const [suggested, setSuggested] = useState<string | null>(null)
  const drafts = useDrafts(state)
  const moves = useMoves(state, dispatch, actions, drafts.leave, view.lent !== undefined)
  const sending = useSending(state, dispatch, moves, drafts, setSuggested)
  const live = useLive(state, dispatch)
  useBranchUrl(state, dispatch, moves.settle)

  const { index, branchId, turns, floor, ceiling } = state
  const { chatId } = index.graph
  const turn = turns.find((candidate) => candidate.branchId === branchId) ?? null
  const headId = turn ? turn.base : headOf(index, branchId)
  const head = (headId !== null && index.byId(headId)) || null
  const rows = threadRows(index, state.bodies, headId, { floor, ceiling })

  const { missing } = rows
  const bodies = useLoaded<ThreadWindow>(
    missing && messagesUrl(chatId, branchId, missing.before, Math.min(missing.limit, atOnce)),
    ({ messages }) => {
      if (messages.length === 0) throw new Error('These messages could not be found.')
      // drawn in slices: twenty replies at once would hold up a click
      startTransition(() => dispatch({ type: 'bodies', bodies: messages }))
    },
  )
  const whole = useLoaded<PackedGraph>(
    state.whole ? null : chatUrl('chats', chatId, 'graph', { columns: 'nodes' }),
    (packed) => {
      // an answer older than the page would take something away
      if (packed.seq < index.graph.seq) whole.again()
      else startTransition(() => dispatch({ type: 'whole', graph: unpackGraph(packed) }))
    },
  )
  // the branch is known, its messages are not yet
  const waits = headId !== null && head === null

  const thread = {
    ...rows,
    /** changes with the chat and the branch: another path is another place to read */
    path: branchId,
    /** the row before which messages are on their way */
    loadingAt: waits ? 0 : bodies.loading ? (missing?.at ?? null) : null,
    bodies,
    head,
    /** why the reply to the head is missing */
    failure: index.branch(branchId)?.failure ?? null,
    turn,
    /** the lane new messages will be in */
    turnLane: turn?.user ? placeNext(index, turn.base).lane : (head?.lane ?? 0),
  }
  return {
    state,
    dispatch,
    moves,
    sending,
    live,
    suggested,
    thread,
    /** null once the graph is there */
    whole: state.whole ? null : whole,
    graph: withLiveReplies(index, turns).graph,
  }
}

/** The part of a session that the thread shows. It stays the same while text is typed or a node is picked. */
export type ThreadView = ReturnType<typeof useChatSession>['thread']
