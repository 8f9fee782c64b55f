'use client'

import { useStore, type Viewport } from '@xyflow/react'
import type { Metrics } from '../model/geometry'
import { farBelow, levelAt, type View } from '../model/level'
import { cellsInView, serves } from '../model/view-window'

/** Steps in which things follow the zoom: four to a doubling. */
const steps = 4
/** More cards than this are not drawn at once: they give way to dots. */
const cardsAtOnce = 260
/** So much of the pane's size is drawn beyond each of its edges. */
const beyond = 0.4

/** @param culls whether only cells in view are drawn; then dots replace the cards before they are too many */
export function useView(opening: Viewport, metrics: Metrics, culls: boolean): View {
  const step = useStore(({ panZoom, transform }) =>
    Math.round(Math.log2(panZoom ? transform[2] : opening.zoom) * steps),
  )
  const crowded = useStore(({ width, height }) => {
    // about half of the cells are taken
    const cards = (width * height) / (metrics.columnStep * metrics.rowStep) / 2
    return Math.round(Math.log2(Math.sqrt(cards / cardsAtOnce)) * steps)
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
  const zoom = 2 ** (step / steps)
  const farFrom = culls ? Math.max(farBelow, 2 ** (crowded / steps)) : farBelow
  return { level: levelAt(zoom, farFrom), zoom, range: wanted }
}
