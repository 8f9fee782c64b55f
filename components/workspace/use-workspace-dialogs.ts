import { useState } from 'react'
import type { FanOutOf } from '@/components/fan-out/fan-out-dialog'
import { useReplayPlace } from '@/components/replay/use-replay-place'
import type { Merging } from '@/components/session/merging'
import type { Choosing } from '@/components/thread/model-menu'
import type { BranchId, MessageId } from '@/lib/events'

/** Dialogs of a workspace. A closed dialog keeps its subject, to fade out with it. */
export function useWorkspaceDialogs() {
  const [choosing, setChoosing] = useState<(Choosing & { open: boolean }) | null>(null)
  const [inspected, setInspected] = useState<{ id: MessageId; open: boolean } | null>(null)
  /** the messages that are being brought together; `key` tells one time from the next */
  const [merging, setMerging] = useState<{ asked: Merging; open: boolean; key: number } | null>(null)
  const [fanning, setFanning] = useState<{ of: FanOutOf; open: boolean } | null>(null)
  /** true when the export is asked about; null before the first time */
  const [exporting, setExporting] = useState<boolean | null>(null)
  const [shared, setShared] = useState<{
    branchId: BranchId | null
    messageId: MessageId | null
    open: boolean
    key: number
  } | null>(null)
  /** the exchange with another server */
  const [exchanging, setExchanging] = useState<{ verb: 'push' | 'pull'; open: boolean; key: number } | null>(
    null,
  )
  const [proposing, setProposing] = useState<{ open: boolean; key: number } | null>(null)
  const [people, setPeople] = useState<{ open: boolean; key: number } | null>(null)
  /** the message that an agent may be steered to */
  const [steering, setSteering] = useState<{ messageId: MessageId; open: boolean; key: number } | null>(null)
  const replay = useReplayPlace()
  const asked = [
    choosing,
    inspected,
    merging,
    fanning,
    shared,
    steering,
    exchanging,
    proposing,
    people,
    replay.asked,
    replay.searched,
  ]
  return {
    /** true when any of them was opened */
    isUsed: exporting !== null || asked.some((one) => one !== null),
    isOpen: exporting === true || asked.some((one) => one?.open),
    /** closes the open dialog */
    close() {
      setChoosing(closed)
      setInspected(closed)
      setMerging(closed)
      setFanning(closed)
      if (exporting) setExporting(false)
      setShared(closed)
      setSteering(closed)
      setExchanging(closed)
      setProposing(closed)
      setPeople(closed)
      replay.close()
      replay.endBisect()
    },
    exporting,
    setExporting,
    exportChat: () => setExporting(true),
    shared,
    setShared,
    steering,
    setSteering,
    exchanging,
    setExchanging,
    proposing,
    setProposing,
    people,
    setPeople,
    choosing,
    setChoosing,
    inspected,
    setInspected,
    merging,
    setMerging,
    fanning,
    setFanning,
    replay,
    choose: (asked: Choosing) => setChoosing({ ...asked, open: true }),
    inspect: (id: MessageId) => setInspected({ id, open: true }),
    merge: (asked: Merging) => setMerging({ asked, open: true, key: (merging?.key ?? 0) + 1 }),
    share: (branchId: BranchId | null, messageId: MessageId | null) =>
      setShared({ branchId, messageId, open: true, key: (shared?.key ?? 0) + 1 }),
    steer: (messageId: MessageId) => setSteering({ messageId, open: true, key: (steering?.key ?? 0) + 1 }),
    exchange: (verb: 'push' | 'pull') => setExchanging({ verb, open: true, key: (exchanging?.key ?? 0) + 1 }),
    showProposals: () => setProposing({ open: true, key: (proposing?.key ?? 0) + 1 }),
    showPeople: () => setPeople({ open: true, key: (people?.key ?? 0) + 1 }),
    fanOut: (of: FanOutOf) => setFanning({ of, open: true }),
  }
}

const closed = <T extends { open: boolean }>(asked: T | null): T | null => asked && { ...asked, open: false }

export type WorkspaceAsked = ReturnType<typeof useWorkspaceDialogs>
