'use client'

import { useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatId } from '@/lib/events'
import type { Problem, ShareLink } from '@/lib/protocol'

/** The links to a chat; null until they are read. */
export function useShares(chatId: ChatId) {
  const { api } = useApp()
  const [shares, setShares] = useState<ShareLink[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [attempt, setAttempt] = useState(0)
  useOnChange([api, chatId, attempt], () => {
    const leaving = new AbortController()
    const url = `/api/shares?chat_id=${encodeURIComponent(chatId)}`
    getJson<{ shares: ShareLink[] }>(api, url, leaving.signal).then(
      (answer) => setShares(answer.shares),
      (error: unknown) => !leaving.signal.aborted && setProblem(problemOf(error)),
    )
    return () => leaving.abort()
  })
  return {
    shares,
    problem,
    again() {
      setProblem(null)
      setAttempt((before) => before + 1)
    },
    remove: (id: string) => setShares((before) => before?.filter((share) => share.id !== id) ?? null),
  }
}
