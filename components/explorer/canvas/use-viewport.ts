'use client'

import { useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { MessageId } from '@/lib/events'
import type { Cell, ItemId } from '@/lib/graph'
import {
  cellBox,
  drawingBox,
  fitBox,
  isInView,
  type Metrics,
  onScreen,
  reveal,
  wholeView,
  zoomRange,
} from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'

/**
 * Moves over the drawing, and follows the head while the reader has not gone elsewhere.
 *
 * @param tabId the item that has the focus, or would get it
 */
export function useViewport(
  model: GraphModel,
  selectedId: MessageId | null,
  tabId: ItemId | null,
  metrics: Metrics,
) {
  const { index, placement, headId } = model
  const flow = useReactFlow()
  const store = useStoreApi()
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  const wentElsewhere = useRef(false)
  // a zoom that the reader chose is kept; until then a small graph is shown whole as it grows
  const choseView = useRef(false)
  const followed = useRef(headId)
  const anchor = useRef<{ id: ItemId; cell: Cell } | null>(null)
  const drawnBefore = useRef(model)
  /** the zoom at the end of a move that is under way */
  const headsFor = useRef<number | null>(null)

  const paneSize = () => {
    const { width, height } = store.getState()
    return { width, height }
  }
  const cellOf = (id: ItemId | null): Cell | undefined => {
    const item = id === null ? undefined : itemAt(model, id)
    return item && placement.cells.get(item.id)
  }
  const boxOf = (id: ItemId | null) => {
    const cell = cellOf(id)
    return cell && cellBox(cell, metrics)
  }
  const drawing = () => drawingBox(placement.columns, placement.rows, metrics)
  const moveTo = (next: Viewport) => {
    const { x, y, zoom } = flow.getViewport()
    if (x === next.x && y === next.y && zoom === next.zoom) return
    headsFor.current = next.zoom
    // React Flow's smooth move zooms out and in again, and a second move meanwhile would keep that zoom;
    // a hidden pane jumps
    const jumps = still || !store.getState().domNode?.checkVisibility()
    void flow.setViewport(next, { duration: jumps ? 0 : 150, interpolate: 'linear' }).then(() => {
      if (headsFor.current === next.zoom) headsFor.current = null
    })
  }
  const show = (id: ItemId | null) => {
    const box = boxOf(id)
    if (box) moveTo(reveal(box, flow.getViewport(), paneSize()))
  }

  const follow = (id: MessageId | null) => {
    const whole = choseView.current ? null : wholeView(drawing(), paneSize())
    if (whole) moveTo(whole)
    else show(id)
  }

  /** An item of the drawing before that is in view and still there: the focused item, or else the first found. */
  const seenBefore = ({ folded, placement: { cells } }: GraphModel) => {
    if (folded === model.folded) return null
    const viewport = flow.getViewport()
    const size = paneSize()
    for (const id of [tabId, selectedId, headId, ...cells.keys()]) {
      const cell = id === null ? undefined : cells.get(id)
      if (id !== null && cell && cellOf(id) && isInView(cellBox(cell, metrics), viewport, size))
        return { id, cell }
    }
    return null
  }

  // folding and unfolding keep the item in view where it is on the screen
  useLayoutEffect(() => {
    if (anchor.current) choseView.current = true
    const kept = anchor.current ?? seenBefore(drawnBefore.current)
    anchor.current = null
    drawnBefore.current = model
    const cell = kept && cellOf(kept.id)
    if (!kept || !cell) return
    const before = cellBox(kept.cell, metrics)
    const now = cellBox(cell, metrics)
    // a move under way goes on where nothing has to be corrected
    if (before.x === now.x && before.y === now.y) return
    const { x, y, zoom } = flow.getViewport()
    void flow.setViewport({ zoom, x: x + (before.x - now.x) * zoom, y: y + (before.y - now.y) * zoom })
  })

  // a head that grew is followed; another branch is shown where it was opened
  useEffect(() => {
    const before = followed.current
    if (before === headId) return
    followed.current = headId
    const grew = before !== null && headId !== null && index.isOnChain(before, headId)
    if (!grew) wentElsewhere.current = false
    if (!wentElsewhere.current) follow(!grew && selectedId !== null ? selectedId : headId)
  })

  // a panel that is made smaller keeps the head in view
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing
  useEffect(() => {
    if (!wentElsewhere.current) follow(selectedId ?? headId)
  }, [width, height])

  // a selection made elsewhere, such as in the thread, is shown here
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a selection moves the drawing, not what came after it
  useEffect(() => show(selectedId), [selectedId])

  /** Zooms around the selection, or else the head, while it is in view; otherwise around the middle. */
  const zoomTo = (to: number) => {
    choseView.current = true
    const before = flow.getViewport()
    const size = paneSize()
    const box = boxOf(selectedId) ?? boxOf(headId)
    const at = box && isInView(box, before, size) ? onScreen(box, before) : { x: 0, y: 0, ...size }
    const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 }
    const zoom = Math.min(zoomRange.max, Math.max(zoomRange.min, to))
    const scale = zoom / before.zoom
    const next = {
      zoom,
      x: middle.x - (middle.x - before.x) * scale,
      y: middle.y - (middle.y - before.y) * scale,
    }
    moveTo(box && isInView(box, before, size) ? reveal(box, next, size) : next)
  }

  return {
    boxOf,
    show,
    /** Keeps a message where it is on the screen through the next change. */
    keepInPlace(id: MessageId) {
      const cell = cellOf(id)
      if (cell) anchor.current = { id, cell }
    },
    showHead: () => {
      wentElsewhere.current = false
      show(headId)
    },
    fit: () => {
      wentElsewhere.current = false
      choseView.current = false
      moveTo(fitBox(drawing(), paneSize()))
    },
    zoomTo,
    /** A second press during a move continues from its end. */
    zoomBy: (factor: number) => zoomTo((headsFor.current ?? flow.getViewport().zoom) * factor),
    /** For React Flow's `onMoveEnd`; moves made by code come without an event. */
    onMoveEnd: (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      const head = boxOf(headId)
      if (event) {
        choseView.current = true
        headsFor.current = null
      }
      if (event && head) wentElsewhere.current = !isInView(head, viewport, paneSize())
    },
  }
}
