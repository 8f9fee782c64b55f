'use client'

import { useEffect, useEffectEvent } from 'react'
import { isOffline } from '@/components/app/problem'

/** The pauses before each new try, in ms; the last one repeats. */
const patience = [1000, 2000, 4000, 8000, 15_000] as const

/** Calls back once the server is reached again, while `lost`. */
export function useBackOnline(lost: boolean, onBack: () => void): void {
  const back = useEffectEvent(onBack)

  useEffect(() => {
    if (!lost) return
    const gone = new AbortController()
    const { signal } = gone
    let timer: ReturnType<typeof setTimeout> | undefined
    let tries = 0
    const ask = async () => {
      clearTimeout(timer)
      // without a network a request would only fail, and say so in the browser's log
      const answer = isOffline() ? null : await fetch('/api/health', { signal }).catch(() => null)
      if (signal.aborted) return
      if (answer) back()
      else timer = setTimeout(() => void ask(), patience[Math.min(tries++, patience.length - 1)])
    }
    timer = setTimeout(() => void ask(), patience[0])
    addEventListener('online', () => void ask(), { signal })
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [lost])
}
