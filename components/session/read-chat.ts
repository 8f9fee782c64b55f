'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { type Api, getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf, unreached } from '@/components/app/problem'
import type { BranchId, ChatId } from '@/lib/events'
import type { GraphDelta, Problem } from '@/lib/protocol'

/** The address of a part of a chat: its turns are under `chat`, everything else under `chats`. */
export function chatUrl(
  root: 'chat' | 'chats',
  chatId: ChatId,
  name: string,
  query: Record<string, string | number> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  return `/api/${root}/${encodeURIComponent(chatId)}/${name}${search.size > 0 ? `?${search}` : ''}`
}

/** The address of the `limit` messages of a branch right above a depth. */
export const messagesUrl = (chatId: ChatId, branch: BranchId, before: number, limit: number): string =>
  chatUrl('chats', chatId, 'messages', { branch, before, limit })

/** Everything that was written to a chat after a position of its log. */
export const readSince = (
  api: Api,
  chatId: ChatId,
  since: number,
  signal?: AbortSignal,
): Promise<GraphDelta> => getJson<GraphDelta>(api, chatUrl('chats', chatId, 'graph', { since }), signal)

/**
 * Loads what an address answers, and loads again when the address or `version` changes, or on `again`. An answer that
 * is no longer asked for is dropped; a `take` that throws makes the answer a problem.
 *
 * @param url null while there is nothing to load
 */
export function useLoaded<T>(url: string | null, take: (answer: T) => void, version: number | string = 0) {
  const { api } = useApp()
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<{ of: string; problem: Problem } | null>(null)
  const taken = useEffectEvent(take)
  const wanted = `${url} ${version} ${attempt}`

  useEffect(() => {
    if (url === null) return
    const gone = new AbortController()
    getJson<T>(api, url, gone.signal)
      .then((answer) => taken(answer))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setFailure({ of: wanted, problem: problemOf(error, unreached) })
      })
    return () => {
      gone.abort()
      setFailure(null)
    }
  }, [api, url, wanted])

  const problem = url !== null && failure?.of === wanted ? failure.problem : null
  return { loading: url !== null && !problem, problem, again: () => setAttempt(attempt + 1) }
}

/** The state of a load, and the way to try again. */
export type Loading = ReturnType<typeof useLoaded>
