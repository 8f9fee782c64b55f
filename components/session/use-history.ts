'use client'

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import type { PackedHistory } from '@/lib/graph'
import { joinHistories, unpackHistory } from '@/lib/graph/history/pack-history'
import type { Graph } from '@/lib/protocol'
import type { TimeStore } from './time-store'

/** The history of a chat: read when it is first opened, and what is new then whenever the graph has moved on. */
export function useHistory(time: TimeStore, { chatId, seq }: Pick<Graph, 'chatId' | 'seq'>) {
  const { api } = useApp()
  const at = useSyncExternalStore(time.subscribe, time.read, time.read)
  const [failedAt, setFailedAt] = useState<number | null>(null)
  const since = at.history?.seq ?? 0
  const isBehind = at.isOpen && failedAt !== seq && since < seq
  const fail = useEffectEvent(() => setFailedAt(seq))

  useEffect(() => {
    if (!isBehind) return
    const gone = new AbortController()
    const url = `/api/chats/${encodeURIComponent(chatId)}/history?since=${since}`
    getJson<PackedHistory>(api, url, gone.signal)
      .then((packed) => {
        const later = unpackHistory(packed)
        const earlier = time.read().history
        time.set({ history: earlier ? joinHistories(earlier, later) : later })
      })
      .catch(() => {
        // tried again when there is more to be had, or somebody asks
        if (!gone.signal.aborted) fail()
      })
    return () => gone.abort()
  }, [api, chatId, since, isBehind, time])

  return {
    ...at,
    // what has been read is still true when the rest cannot be had
    failed: failedAt === seq && !at.history,
    onOpen(isOpen: boolean) {
      time.set({ isOpen, position: null })
      setFailedAt(null)
    },
    onGo: (position: number | null) => time.set({ position }),
    onReadAgain: () => setFailedAt(null),
  }
}
