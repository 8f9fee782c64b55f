'use client'

import { useStore, type Viewport } from '@xyflow/react'
import type { Metrics } from '../model/geometry'
import { levelAt, stepOf, type View } from '../model/level'
import { rangeInView, serves } from '../model/view-window'

/** So much of the pane's size is drawn beyond each of its edges. */
const beyond = 0.25

export function useView(opening: Viewport, metrics: Metrics): View {
  const zoom = useStore(({ panZoom, transform }) => stepOf(panZoom ? transform[2] : opening.zoom))
  const { wanted } = useStore(
    ({ panZoom, transform: [x, y, zoom], width, height }) => {
      const viewport = panZoom ? { x, y, zoom } : opening
      const size = { width, height }
      return {
        view: rangeInView(viewport, size, metrics),
        wanted: rangeInView(viewport, size, metrics, beyond),
      }
    },
    (drawn, next) => serves(drawn.wanted, next.view, next.wanted),
  )
  return { level: levelAt(metrics.step * zoom), zoom, range: wanted }
}
