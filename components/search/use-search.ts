'use client'

import { useEffectEvent, useState } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { problemOf } from '@/components/app/problem'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatId } from '@/lib/events'
import type { SearchPage } from '@/lib/graph'
import type { Problem } from '@/lib/protocol'

interface Wanted {
  words: string
  chatId: ChatId | null
  role: 'user' | 'assistant' | null
}

/** The last answer, and the query it answers. */
type Answer = SearchPage & { to: string }

/** The time without a key before the server is asked, in ms. */
const pause = 150
/** A long backlog is looked through in steps; this many at most. */
const mostSteps = 40

/** Searches while words are typed: a moment after the last key. An answer stays until the next one is there. */
export function useSearch({ words, chatId, role }: Wanted) {
  const { api, viewer } = useApp()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [failure, setFailure] = useState<{ to: string; problem: Problem } | null>(null)
  const [attempt, setAttempt] = useState(0)

  const text = words.trim()
  // a visitor without messages has nothing to search, and is not made a guest for looking
  const asks = text !== '' && viewer !== null
  const query = new URLSearchParams({
    q: text,
    ...(chatId && { chat: chatId }),
    ...(role && { role }),
  }).toString()

  const read = (offset: number, signal?: AbortSignal) =>
    getJson<SearchPage>(api, `/api/search?${query}${offset > 0 ? `&offset=${offset}` : ''}`, signal)

  const ask = useEffectEvent(async (signal: AbortSignal) => {
    try {
      for (let step = 0; step < mostSteps; step++) {
        const page = await read(0, signal)
        if (signal.aborted) return
        setAnswer({ to: query, ...page })
        setFailure(null)
        if (!page.partial) return
      }
    } catch (error) {
      if (!signal.aborted) setFailure({ to: query, problem: problemOf(error) })
    }
  })

  useOnChange([query, asks, attempt], () => {
    if (!asks) return
    const gone = new AbortController()
    const timer = setTimeout(() => void ask(gone.signal), pause)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  })

  const showMore = async () => {
    if (answer?.to !== query) return
    try {
      const page = await read(answer.hits.length)
      setAnswer((now) => (now === answer ? { ...page, to: query, hits: [...now.hits, ...page.hits] } : now))
    } catch (error) {
      setFailure({ to: query, problem: problemOf(error) })
    }
  }

  const problem = asks && failure?.to === query ? failure.problem : null
  return {
    hits: asks && answer ? answer.hits : [],
    /** the hits belong to the query before */
    waiting: asks && answer?.to !== query && problem === null,
    more: answer?.to === query && answer.more,
    partial: answer?.to === query && answer.partial,
    problem,
    showMore,
    again() {
      setFailure(null)
      setAttempt(attempt + 1)
    },
  }
}
