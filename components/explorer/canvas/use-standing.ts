'use client'

import { useLayoutEffect, useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'
import type { ItemId } from '@/lib/graph'
import { type GraphModel, itemAt } from '../model/graph-model'
import type { NameWanted } from '../model/level'

/**
 * The reader's state in the drawing: the focused item, the messages picked, the name being given.
 *
 * @param drawnAs the item that a message, or an item by its own id, is drawn in
 */
export function useStanding(
  model: GraphModel,
  selectedId: MessageId | null,
  drawnAs: (id: ItemId) => ItemId | null = (id) => itemAt(model, id)?.id ?? null,
) {
  const { drawn, headId } = model
  const [stoodOn, setStoodOn] = useState<ItemId | null>(null)
  const [marked, setMarked] = useState<readonly MessageId[]>([])
  const [naming, setNaming] = useState<NameWanted | null>(null)
  const [said, setSaid] = useState('')
  const frame = useRef<HTMLDivElement>(null)
  /** the item that gets the focus next, and the element that had it at the time of the wish */
  const wish = useRef<{ id: ItemId; from: Element | null } | null>(null)
  /** the focused element of the drawing */
  const held = useRef<Element | null>(null)

  const drawnId = (id: ItemId | null): ItemId | null => (id === null ? null : drawnAs(id))
  const tabId = drawnId(stoodOn) ?? drawnId(selectedId) ?? drawnId(headId) ?? drawn.rootIds[0] ?? null

  useLayoutEffect(() => {
    const within = frame.current
    const take = (): boolean => {
      if (!wish.current) return true
      const { id, from } = wish.current
      const { activeElement } = document
      const isElsewhere = activeElement !== from && activeElement !== document.body
      const item = within?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`)
      if (isElsewhere && !within?.contains(activeElement)) wish.current = null
      else if (!item) return false
      else {
        wish.current = null
        item.focus({ preventScroll: true })
      }
      return true
    }
    // React Flow removes an item a moment late, and a label goes at once
    const heldItem = held.current?.closest('[data-item]')?.getAttribute('data-item')
    const isLost = held.current?.isConnected === false || (heldItem != null && drawnAs(heldItem) !== heldItem)
    if (isLost && !wish.current && tabId !== null) wish.current = { id: tabId, from: held.current }
    if (isLost) held.current = null
    if (!within || take()) return
    // React Flow draws an item that was out of view a moment later
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
      wish.current = { id, from: document.activeElement }
      setStoodOn(id)
    },
    /** Remembers the focused element: when it is removed, the focus goes to the tab stop. */
    hold(element: Element) {
      if (frame.current?.contains(element)) held.current = element
    },
    /** Forgets it when the focus goes elsewhere, unless only the window loses it. */
    letGo() {
      if (document.activeElement !== held.current) held.current = null
    },
    /** Picks a message, for comparing or for copying it with others, or drops it. */
    toggleMark(id: MessageId) {
      setMarked(marked.includes(id) ? marked.filter((other) => other !== id) : [...marked, id])
    },
    clearMarks: () => setMarked([]),
  }
}

export type StandingState = ReturnType<typeof useStanding>
