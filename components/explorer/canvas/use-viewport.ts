'use client'

import { useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { MessageId } from '@/lib/events'
import type { Cell, ItemId } from '@/lib/graph'
import { fitView, openingMeasures, openingOf } from '../labels/opening'
import type { LabelMap } from '../labels/place-labels'
import {
  around,
  cellBox,
  isInView,
  type Metrics,
  onScreen,
  reveal,
  wholeView,
  zoomRange,
} from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'
import { useFollowedHead } from './use-followed-head'

/** A pane that grows by less keeps its view. */
const slight = 64

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
  labels: LabelMap,
) {
  const { index, placement, headId } = model
  const flow = useReactFlow()
  const store = useStoreApi()
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  /** What the view shows: until the reader moves it, it is laid out again as the graph or the pane changes. */
  const shows = useRef<'opening' | 'all' | 'chosen'>('opening')
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
  /** An item with its labels. */
  const withLabels = (id: ItemId | null) => {
    const box = boxOf(id)
    const label = id === null ? undefined : labels.boxOf(id)
    return box && label ? around(box, label) : box
  }
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
    const box = withLabels(id)
    if (box) moveTo(reveal(box, flow.getViewport(), paneSize()))
  }
  const layOut = () => {
    const size = paneSize()
    if (shows.current === 'all') moveTo(fitView(model, metrics, size))
    else if (shows.current === 'opening') moveTo(openingOf(model, metrics, size))
  }

  const follow = (id: MessageId | null) => {
    const { drawing, over } = openingMeasures(model, metrics)
    const whole = shows.current === 'chosen' ? null : wholeView(drawing, paneSize(), over)
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
    if (anchor.current) shows.current = 'chosen'
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

  const reader = useFollowedHead(model, selectedId, follow)

  // a pane of another size is laid out again; a view that the reader chose only keeps in sight what is being read
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const laidOut = useRef({ width, height })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing
  useEffect(() => {
    const before = laidOut.current
    if (width === 0 || height === 0 || (before.width === width && before.height === height)) return
    // a pane that grows by a line is no reason to move what the reader looks at
    const grew = width >= before.width && height >= before.height
    if (grew && width - before.width < slight && height - before.height < slight && before.width > 0) return
    laidOut.current = { width, height }
    if (shows.current !== 'chosen') layOut()
    else if (!reader.isElsewhere()) show(selectedId ?? headId)
  }, [width, height])

  // a new checkpoint's flag is brought into view
  const { checkpoints } = index.graph
  const flagged = useRef(checkpoints)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new checkpoint moves the drawing
  useEffect(() => {
    const before = new Set(flagged.current.map(({ id }) => id))
    flagged.current = checkpoints
    const fresh = model.past ? undefined : checkpoints.find(({ id }) => !before.has(id))
    if (fresh && itemAt(model, fresh.messageId)?.id === fresh.messageId) show(fresh.messageId)
  }, [checkpoints])

  // a selection made elsewhere, such as in the thread, is shown here
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a selection moves the drawing, not what came after it
  useEffect(() => show(selectedId), [selectedId])

  /** Zooms around the selection, or else the head, while it is in view; otherwise around the middle. */
  const zoomTo = (to: number) => {
    shows.current = 'chosen'
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
    withLabels,
    show,
    /** Keeps a message where it is on the screen through the next change. */
    keepInPlace(id: MessageId) {
      const cell = cellOf(id)
      if (cell) anchor.current = { id, cell }
    },
    showHead: () => {
      reader.setElsewhere(false)
      show(headId)
    },
    fit: () => {
      reader.setElsewhere(false)
      shows.current = 'all'
      layOut()
    },
    zoomTo,
    /** A second press during a move continues from its end. */
    zoomBy: (factor: number) => zoomTo((headsFor.current ?? flow.getViewport().zoom) * factor),
    /** For React Flow's `onMoveEnd`; moves made by code come without an event. */
    onMoveEnd: (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      const head = boxOf(headId)
      if (event) {
        shows.current = 'chosen'
        headsFor.current = null
      }
      if (event && head) reader.setElsewhere(!isInView(head, viewport, paneSize()))
    },
  }
}
