'use client'

import { useMemo } from 'react'
import type { ThreadView } from '@/components/session/use-chat-session'
import { storedTexts, useStored } from '@/components/ui/stored-value'
import type { BranchId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import { type RepliesBeside, repliesBeside } from '@/lib/graph/replies-beside'

/** So many closed columns are remembered, each by its first branch: one message may be fanned out several times. */
const most = 200

/** The replies to show side by side at the end of the branch being read, and what this browser has closed of them. */
export function useColumns(index: GraphIndex, branchId: BranchId) {
  const [stored, store] = useStored('ramify-kept-all', '[]')
  const beside = useMemo(() => repliesBeside(index, branchId), [index, branchId])
  const closed = storedTexts(stored) as BranchId[]
  const first = beside?.replies[0]?.branch.id
  const isClosed = first !== undefined && closed.includes(first)
  const others = closed.filter((id) => id !== first)
  return {
    /** shown as columns */
    shown: isClosed ? null : beside,
    /** could be shown again */
    hidden: isClosed ? beside : null,
    /** every branch stays, and the thread shows one reply again */
    close: () => first && store(JSON.stringify([...others, first].slice(-most))),
    reopen: () => store(JSON.stringify(others)),
  }
}

/** The thread up to the message whose replies stand below it in columns. */
export function threadAbove(
  view: ThreadView,
  index: GraphIndex,
  columns: Pick<RepliesBeside, 'messageId'> | null,
): ThreadView {
  const asked = columns && index.byId(columns.messageId)
  if (!asked) return view
  return { ...view, rows: view.rows.filter(({ node }) => node.depth <= asked.depth), turn: null }
}
