'use client'

import type { Dispatch } from 'react'
import { deferred } from '@/components/app/deferred'
import type { useColumns } from '@/components/fan-out/use-columns'
import type { ChatAction } from '@/components/session/chat-session'
import type { useChatSession } from '@/components/session/use-chat-session'
import type { useMoves } from '@/components/session/use-moves'
import type { BranchId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import type { useFirstRetry } from './first-minute/use-first-retry'

const FirstRetry = deferred(() => import('@/components/thread/first-retry'))
const FanOutColumns = deferred(() => import('@/components/fan-out/fan-out-columns'))

/** A reply that is tried again for the first time has its answer of before beside it at once. */
export const preloadBeside = () => FirstRetry.preload()

interface RepliesBesideProps {
  columns: ReturnType<typeof useColumns>
  first: ReturnType<typeof useFirstRetry>
  state: ReturnType<typeof useChatSession>['state']
  dispatch: Dispatch<ChatAction>
  switchTo(id: BranchId): void
  onKeep: ReturnType<typeof useMoves>['keep']
  onAgain(asked: GraphNode, on: BranchId): void
}

/** Replies beside each other at the end of the thread: those to one message, else the first one tried again and the new one. */
export function RepliesBeside({ columns, first, state, dispatch, ...on }: RepliesBesideProps) {
  const { shown, close } = columns
  const { pair, over } = first
  if (shown) {
    return (
      <FanOutColumns
        key={shown.messageId}
        beside={shown}
        state={state}
        dispatch={dispatch}
        onKeep={on.onKeep}
        onKeepAll={close}
        onAgain={on.onAgain}
      />
    )
  }
  return (
    pair && (
      <FirstRetry {...pair} onBefore={() => on.switchTo(pair.beforeOn ?? state.branchId)} onOver={over} />
    )
  )
}
