'use client'

import { type Dispatch, useEffect, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import type { BranchId, ChatId } from '@/lib/events'
import type { Problem, ThreadWindow } from '@/lib/protocol'
import type { ChatAction } from './chat-state'
import type { ThreadRows } from './thread-rows'

/** The most messages the server gives in one answer. */
const atOnce = 200

/** Fetches the bodies the thread lacks: after a switch to a branch not read before, and while scrolling up. */
export function useBodies(
  chatId: ChatId,
  branchId: BranchId,
  missing: ThreadRows['missing'],
  dispatch: Dispatch<ChatAction>,
) {
  const { api } = useApp()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [attempt, setAttempt] = useState(0)
  const before = missing?.before
  const limit = missing && Math.min(missing.limit, atOnce)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` counts the reader's wishes to try again
  useEffect(() => {
    if (before === undefined) return
    const gone = new AbortController()
    const query = new URLSearchParams({ branch: branchId, before: String(before), limit: String(limit) })
    getJson<ThreadWindow>(api, `/api/chats/${encodeURIComponent(chatId)}/messages?${query}`, gone.signal)
      .then(({ messages }) => {
        setProblem(messages.length > 0 ? null : problemOf(new Error('These messages could not be found.')))
        dispatch({ type: 'bodies', bodies: messages })
      })
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setProblem(problemOf(error, unreached))
      })
    return () => gone.abort()
  }, [api, chatId, branchId, before, limit, dispatch, attempt])

  const again = () => {
    setProblem(null)
    setAttempt(attempt + 1)
  }
  return { loading: missing !== null && problem === null, problem: missing ? problem : null, again }
}
