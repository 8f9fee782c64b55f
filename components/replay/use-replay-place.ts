import { useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'

export type ReplayAsked = ReturnType<typeof useReplayPlace>

/** The place that a replay is asked from, in a dialog. */
export function useReplayPlace() {
  const [asked, setAsked] = useState<{
    branchId: BranchId | null
    messageId: MessageId | null
    open: boolean
    /** the dialog begins anew each time */
    time: number
  } | null>(null)
  const [searched, setSearched] = useState<{ id: MessageId; open: boolean } | null>(null)
  return {
    asked,
    searched,
    /** asks which message made a reply say something */
    bisect: (id: MessageId) => setSearched({ id, open: true }),
    endBisect: () => setSearched(searched && { ...searched, open: false }),
    ask(branchId: BranchId | null, messageId: MessageId | null) {
      setAsked({ branchId, messageId, open: true, time: (asked?.time ?? 0) + 1 })
    },
    close: () => setAsked(asked && { ...asked, open: false }),
  }
}
