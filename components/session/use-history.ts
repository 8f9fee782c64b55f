'use client'

import { useState } from 'react'
import { joinHistories, type PackedHistory, unpackHistory } from '@/lib/graph'
import type { Graph, History } from '@/lib/protocol'
import { chatUrl, useLoaded } from './read-chat'

interface Time {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** number of movements up to here; null for now */
  position: number | null
  /** in place of a position: all movements up to this one of the log */
  upTo?: number
}

/** The time at which the graph is looked at, and the chat's history: loaded when first opened, then the new part. */
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
  const { isOpen, upTo } = time
  const made = history && upTo !== undefined ? countUpTo(history, upTo) : null
  const position = made === history?.movements.length ? null : (made ?? time.position)
  return {
    isOpen,
    position,
    /** the position of the log after which the graph is shown as it was; null for now */
    seq: position === null ? null : (history?.movements[position]?.seq ?? 1) - 1,
    history,
    // the history at hand stays true when the rest cannot be loaded
    failed: problem !== null && !history,
    onOpen(isOpen: boolean) {
      setTime({ isOpen, position: null })
      again()
    },
    /** shows the time after an event of the log */
    onOpenAt(upTo: number) {
      setTime({ isOpen: true, position: null, upTo })
      again()
    },
    onGo: (position: number | null) => setTime(({ isOpen }) => ({ isOpen, position })),
    onReadAgain: again,
  }
}

function countUpTo({ movements }: History, seq: number): number {
  const later = movements.findIndex((movement) => movement.seq > seq)
  return later < 0 ? movements.length : later
}
