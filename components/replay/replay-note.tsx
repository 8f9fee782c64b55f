'use client'

import type { Dispatch } from 'react'
import { deferred } from '@/components/app/deferred'
import { answerOf } from '@/components/app/toasts'
import type { ChatAction, ChatSession } from '@/components/session/chat-session'
import { replayOn } from '@/lib/graph'
import type { ChatActions, Moved } from '@/lib/protocol'

// loaded where there is a replay
const ReplayBar = deferred(() => import('./replay-bar'))

export interface ReplayProps {
  state: ChatSession
  dispatch: Dispatch<ChatAction>
  actions: Pick<ChatActions, 'replay' | 'steerReplay'>
}

/** Takes in what an action has written; answers whether it was done. */
export async function takeIn(
  dispatch: Dispatch<ChatAction>,
  action: ReturnType<ChatActions['replay']>,
): Promise<Moved | null> {
  const moved = await answerOf(action)
  if (moved) dispatch({ type: 'delta', delta: moved.delta, goTo: moved.branchId })
  return moved
}

/** The progress of the replay of the branch being read. */
export function ReplayNote({ state, dispatch, actions }: ReplayProps) {
  const { index, branchId } = state
  const { chatId } = index.graph
  const replay = replayOn(index.graph, branchId)
  if (!replay) return null
  return (
    <ReplayBar
      key={replay.replayId}
      chatId={chatId}
      replay={replay}
      nameOf={(id) => index.branch(id)?.name ?? ''}
      onSteer={async (action) => {
        await takeIn(dispatch, actions.steerReplay({ chatId, replayId: replay.replayId, action }))
      }}
    />
  )
}
