'use client'

import { useEffect, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import type { Problem } from '@/lib/protocol'

/** A preview on its way, there, or refused. */
export interface Previewed<T> {
  preview: T | null
  problem: Problem | null
  /** asks again */
  again(): void
}

/**
 * Asks for a preview of what would be stored, and again whenever the question changes; this stores nothing. The last
 * answer goes when the next is asked for.
 *
 * @param question of the command; null for none
 */
export function usePreview<T>(path: string, question: object | null): Previewed<T> {
  const { api } = useApp()
  const [attempt, setAttempt] = useState(0)
  const [answer, setAnswer] = useState<{ asked: string; preview?: T; problem?: Problem } | null>(null)
  const body = question && JSON.stringify(question)
  const asked = `${path} ${body} ${attempt}`
  useEffect(() => {
    if (body === null) return
    const ended = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const preview = async (): Promise<T> => {
      const response = await api.fetch(path, { method: 'POST', headers, body, signal: ended.signal })
      return (await response.json()) as T
    }
    preview().then(
      (preview) => setAnswer({ asked, preview }),
      (error: unknown) => {
        if (!ended.signal.aborted) setAnswer({ asked, problem: problemOf(error, unreached) })
      },
    )
    return () => ended.abort()
  }, [api, path, body, asked])
  const current = answer?.asked === asked ? answer : null
  return {
    preview: current?.preview ?? null,
    problem: current?.problem ?? null,
    again: () => setAttempt(attempt + 1),
  }
}
