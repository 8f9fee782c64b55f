'use client'

import { useMemo } from 'react'
import type { ThreadView } from '@/components/session/use-chat-session'
import { useStored } from '@/components/ui/stored-value'
import type { BranchId, MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { type RepliesBeside, repliesBeside } from '@/lib/graph/replies-beside'

/** Messages whose columns were closed, of which so many are remembered. */
const most = 200

function readClosed(stored: string): MessageId[] {
  try {
    const value: unknown = JSON.parse(stored)
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** The replies to show side by side at the end of the branch being read, and what this browser has closed of them. */
export function useColumns(index: GraphIndex, branchId: BranchId) {
  const [stored, store] = useStored('ramify-kept-all', '[]')
  const beside = useMemo(() => repliesBeside(index, branchId), [index, branchId])
  const closed = readClosed(stored)
  const isClosed = beside !== null && closed.includes(beside.messageId)
  const others = closed.filter((id) => id !== beside?.messageId)
  return {
    /** shown as columns */
    shown: isClosed ? null : beside,
    /** could be shown again */
    hidden: isClosed ? beside : null,
    /** every branch stays, and the thread shows one reply again */
    close: () => beside && store(JSON.stringify([...others, beside.messageId].slice(-most))),
    reopen: () => store(JSON.stringify(others)),
  }
}

/** The thread up to the message whose replies stand below it in columns. */
export function threadAbove(view: ThreadView, index: GraphIndex, columns: RepliesBeside | null): ThreadView {
  const asked = columns && index.byId(columns.messageId)
  if (!asked) return view
  return { ...view, rows: view.rows.filter(({ node }) => node.depth <= asked.depth), turn: null }
}
