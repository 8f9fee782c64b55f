'use client'

import { useStore, type Viewport } from '@xyflow/react'
import type { Metrics } from '../model/geometry'
import { farBelow, levelAt, stepOf, type View } from '../model/level'
import { cellsInView, serves } from '../model/view-window'

/** More cards than this are not drawn at once: they give way to dots. */
const cardsAtOnce = 260
/** So much of the pane's size is drawn beyond each of its edges. */
const beyond = 0.25

/** @param culls whether only cells in view are drawn; then dots replace the cards before they are too many */
export function useView(opening: Viewport, metrics: Metrics, culls: boolean): View {
  const zoom = useStore(({ panZoom, transform }) => stepOf(panZoom ? transform[2] : opening.zoom))
  const crowded = useStore(({ width, height }) => {
    // about half of the cells are taken
    const cards = (width * height) / (metrics.columnStep * metrics.rowStep) / 2
    return stepOf(Math.sqrt(cards / cardsAtOnce))
  })
  const { wanted } = useStore(
    ({ panZoom, transform: [x, y, zoom], width, height }) => {
      const viewport = panZoom ? { x, y, zoom } : opening
      const size = { width, height }
      return {
        view: cellsInView(viewport, size, metrics),
        wanted: cellsInView(viewport, size, metrics, beyond),
      }
    },
    (drawn, next) => serves(drawn.wanted, next.view, next.wanted),
  )
  const farFrom = culls ? Math.max(farBelow, crowded) : farBelow
  return { level: levelAt(zoom, farFrom), zoom, range: wanted }
}
