'use client'

import { useState } from 'react'
import { joinHistories, type PackedHistory, unpackHistory } from '@/lib/graph'
import type { Graph, History } from '@/lib/protocol'
import { chatUrl, useLoaded } from './read-chat'

interface Time {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** how many movements had been made; null for now */
  position: number | null
}

/** The time at which the graph is looked at, and the chat's history: loaded when first opened, then what is new. */
export function useHistory({ chatId, seq }: Pick<Graph, 'chatId' | 'seq'>) {
  const [time, setTime] = useState<Time>({ isOpen: false, position: null })
  const [history, setHistory] = useState<History | null>(null)
  const since = history?.seq ?? 0
  const { problem, again } = useLoaded<PackedHistory>(
    time.isOpen && since < seq ? chatUrl('chats', chatId, 'history', { since }) : null,
    (packed) => {
      const later = unpackHistory(packed)
      setHistory(history ? joinHistories(history, later) : later)
    },
    seq,
  )
  return {
    ...time,
    history,
    // the history at hand stays true when the rest cannot be loaded
    failed: problem !== null && !history,
    onOpen(isOpen: boolean) {
      setTime({ isOpen, position: null })
      again()
    },
    onGo: (position: number | null) => setTime((now) => ({ ...now, position })),
    onReadAgain: again,
  }
}
