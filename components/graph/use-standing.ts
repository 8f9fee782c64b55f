'use client'

import { useLayoutEffect, useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'
import type { ItemId } from '@/lib/graph'
import { type GraphModel, itemAt } from './graph-model'
import type { Naming } from './label-layer'

/** Where one stands in the drawing: the item with the focus, what is picked for comparing, what is being named. */
export function useStanding(model: GraphModel, selectedId: MessageId | null) {
  const { drawn, headId } = model
  const [stoodOn, setStoodOn] = useState<ItemId | null>(null)
  const [marked, setMarked] = useState<readonly MessageId[]>([])
  const [naming, setNaming] = useState<Naming | null>(null)
  const [said, setSaid] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  const wantsFocus = useRef<ItemId | null>(null)

  const drawnId = (id: ItemId | null): ItemId | null => (id === null ? null : (itemAt(model, id)?.id ?? null))
  const tabId = drawnId(stoodOn) ?? drawnId(selectedId) ?? drawnId(headId) ?? drawn.rootIds[0] ?? null

  useLayoutEffect(() => {
    const within = frame.current
    const take = (): boolean => {
      const id = wantsFocus.current
      const item = id && within?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`)
      if (!item) return id === null
      wantsFocus.current = null
      item.focus({ preventScroll: true })
      return true
    }
    if (!within || take()) return
    // what was not in sight React Flow draws a moment later
    const drawnLater = new MutationObserver(() => take() && drawnLater.disconnect())
    drawnLater.observe(within, { childList: true, subtree: true })
    return () => drawnLater.disconnect()
  })

  return {
    frame,
    tabId,
    marked: marked.filter((id) => model.visible.byId.has(id)),
    naming,
    /** for a screen reader: what a key did, or why it did nothing */
    said,
    say: setSaid,
    setNaming,
    setStoodOn,
    focusOn(id: ItemId) {
      wantsFocus.current = id
      setStoodOn(id)
    },
    /** Picks a message for comparing, or lets go of it; of three the first gives way. */
    toggleMark(id: MessageId) {
      setMarked(marked.includes(id) ? marked.filter((other) => other !== id) : [...marked.slice(-1), id])
    },
    clearMarks: () => setMarked([]),
  }
}

export type StandingState = ReturnType<typeof useStanding>
