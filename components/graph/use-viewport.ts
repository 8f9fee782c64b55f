'use client'

import { useReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { MessageId } from '@/lib/events'
import { cellBox, drawingBox, fitBox, isInView, reveal, wholeView, zoomRange } from './geometry'
import type { GraphModel } from './use-graph-model'

/** Moves over the drawing, and follows the head while the reader has not gone elsewhere. */
export function useViewport({ index, placement, headId }: GraphModel, selectedId: MessageId | null) {
  const flow = useReactFlow()
  const store = useStoreApi()
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  const wentElsewhere = useRef(false)
  // whoever has chosen a view keeps its zoom; until then a small graph is shown whole as it grows
  const choseView = useRef(false)
  const followed = useRef(headId)

  const paneSize = () => {
    const { width, height } = store.getState()
    return { width, height }
  }
  const boxOf = (id: MessageId | null) => {
    const cell = id === null ? undefined : placement.cells.get(id)
    return cell ? cellBox(cell) : null
  }
  const moveTo = (next: Viewport) => {
    const { x, y, zoom } = flow.getViewport()
    if (x === next.x && y === next.y && zoom === next.zoom) return
    // the smooth way zooms out and in again, and a second move on the way would keep that zoom
    void flow.setViewport(next, { duration: still ? 0 : 150, interpolate: 'linear' })
  }
  const show = (id: MessageId | null) => {
    const box = boxOf(id)
    if (box) moveTo(reveal(box, flow.getViewport(), paneSize()))
  }

  const follow = (id: MessageId | null) => {
    const whole = choseView.current
      ? null
      : wholeView(drawingBox(placement.columns, placement.rows), paneSize())
    if (whole) moveTo(whole)
    else show(id)
  }

  // a head that grew is followed; another branch is shown where it was opened
  useEffect(() => {
    const before = followed.current
    if (before === headId) return
    followed.current = headId
    const grew = before !== null && headId !== null && index.isOnChain(before, headId)
    if (!grew) wentElsewhere.current = false
    if (!wentElsewhere.current) follow(!grew && selectedId !== null ? selectedId : headId)
  })

  // a panel that is made smaller keeps in sight what is being read
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing
  useEffect(() => {
    if (!wentElsewhere.current) follow(selectedId ?? headId)
  }, [width, height])

  // what was selected elsewhere, in the thread say, is shown here
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a selection moves the drawing, not what came after it
  useEffect(() => show(selectedId), [selectedId])

  return {
    show,
    showHead: () => {
      wentElsewhere.current = false
      show(headId)
    },
    fit: () => {
      wentElsewhere.current = false
      choseView.current = false
      moveTo(fitBox(drawingBox(placement.columns, placement.rows), paneSize()))
    },
    zoomTo: (to: number) => {
      choseView.current = true
      const { width, height } = paneSize()
      const { x, y, zoom } = flow.getViewport()
      const next = Math.min(zoomRange.max, Math.max(zoomRange.min, to))
      const scale = next / zoom
      moveTo({ zoom: next, x: width / 2 - (width / 2 - x) * scale, y: height / 2 - (height / 2 - y) * scale })
    },
    /** For React Flow's onMoveEnd; moves made here come without an event. */
    onMoveEnd: (event: MouseEvent | TouchEvent | null, viewport: Viewport) => {
      const head = boxOf(headId)
      if (event) choseView.current = true
      if (event && head) wentElsewhere.current = !isInView(head, viewport, paneSize())
    },
  }
}
