'use client'

import { ViewportPortal } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { laneName } from '@/components/app/lane'
import { useTheme } from '@/components/ui/use-theme'
import type { ItemId } from '@/lib/graph'
import { type Metrics, markAt, type Point, turnsAt } from '../model/geometry'
import { type GraphModel, isLit, lineIsLit } from '../model/graph-model'
import type { View } from '../model/level'
import type { Cells } from '../model/view-window'

interface FarCanvasProps {
  cells: Cells
  model: GraphModel
  view: View
  selectedId: ItemId | null
  metrics: Metrics
}

/** The longest side of a bitmap that is still cheap to make. */
const most = 4096

/**
 * Marks and lines of a large graph seen from far away, as a picture: thousands of them cost no more than a few. It
 * covers more than the view: panning moves it and draws nothing.
 */
export function FarCanvas({ cells, model, view, selectedId, metrics }: FarCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { shown: theme } = useTheme()
  const { range, zoom } = view
  const left = Math.max(range.left, -1) * metrics.columnStep
  const top = Math.max(range.top, -1) * metrics.rowStep
  const width = (Math.min(range.right, model.placement.columns) + 1) * metrics.columnStep - left
  const height = (Math.min(range.bottom, model.placement.rows) + 1) * metrics.rowStep - top

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, and change with its theme
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context || width <= 0 || height <= 0) return
    const scale = Math.min(zoom * devicePixelRatio, most / width, most / height)
    element.width = Math.max(1, Math.round(width * scale))
    element.height = Math.max(1, Math.round(height * scale))
    context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale)
    const pen = new Pen(context, getComputedStyle(element), 1 / zoom)
    for (const line of cells.linesInRange(range)) {
      const item = model.drawn.byId.get(line.to)
      if (!item) continue
      const start = markAt(line.start, metrics)
      const turn = start.y + turnsAt(line.track, metrics)
      pen.line(line.lane, lineIsLit(model, item), start, markAt(line.end, metrics), turn)
    }
    pen.strokeLines()
    const size = Math.min(9 / zoom, metrics.rowStep * 0.8)
    for (const item of cells.inRange(range)) {
      const cell = model.placement.cells.get(item.id)
      if (!cell) continue
      const isFold = item.kind === 'fold'
      const isRound = isFold || item.node.role !== 'user'
      pen.mark(item.lane, isLit(model, item), isRound, markAt(cell, metrics), isFold ? size * 0.6 : size)
    }
    for (const [id, color] of [
      [selectedId, '--ink'],
      [model.headId, '--accent'],
    ] as const) {
      const cell = id === null ? undefined : model.placement.cells.get(id)
      if (cell) pen.ring(color, markAt(cell, metrics), size)
    }
  }, [cells, model, range, zoom, left, top, width, height, selectedId, metrics, theme])

  return (
    <ViewportPortal>
      <canvas
        ref={canvas}
        aria-hidden
        className="pointer-events-none absolute"
        style={{ left, top, width, height, zIndex: -1 }}
      />
    </ViewportPortal>
  )
}

/** Draws in the page's colours. */
class Pen {
  readonly #lines = new Map<string, { lane: number; lit: boolean; path: Path2D }>()

  /** @param pixel the width of a screen pixel in the drawing */
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly styles: CSSStyleDeclaration,
    private readonly pixel: number,
  ) {}

  line(lane: number, lit: boolean, start: Point, end: Point, turn: number): void {
    const key = `${laneName(lane)} ${lit}`
    const line = this.#lines.get(key) ?? { lane, lit, path: new Path2D() }
    this.#lines.set(key, line)
    line.path.moveTo(start.x, start.y)
    if (start.x !== end.x) {
      line.path.lineTo(start.x, turn)
      line.path.lineTo(end.x, turn)
    }
    line.path.lineTo(end.x, end.y)
  }

  /** Draws all lines so far, the chain being read on top. */
  strokeLines(): void {
    const { context } = this
    const lines = [...this.#lines.values()].sort((a, b) => Number(a.lit) - Number(b.lit))
    for (const { lane, lit, path } of lines) {
      context.strokeStyle = this.#color(laneName(lane))
      context.globalAlpha = lit ? 1 : 0.4
      context.lineWidth = (lit ? 2 : 1) * this.pixel
      context.stroke(path)
    }
    this.#lines.clear()
  }

  mark(lane: number, lit: boolean, isRound: boolean, { x, y }: Point, size: number): void {
    const { context } = this
    context.fillStyle = this.#color(laneName(lane))
    context.globalAlpha = lit ? 1 : 0.65
    if (!isRound || size < 3 * this.pixel) {
      context.fillRect(x - size / 2, y - size / 2, size, size)
      return
    }
    context.beginPath()
    context.arc(x, y, size / 2, 0, 2 * Math.PI)
    context.fill()
  }

  ring(color: string, { x, y }: Point, size: number): void {
    const { context, pixel } = this
    context.globalAlpha = 1
    context.strokeStyle = this.#color(color)
    context.lineWidth = 2.5 * pixel
    context.beginPath()
    context.arc(x, y, size / 2 + 3.5 * pixel, 0, 2 * Math.PI)
    context.stroke()
  }

  readonly #colors = new Map<string, string>()
  #color(name: string): string {
    const known = this.#colors.get(name) ?? this.styles.getPropertyValue(name).trim()
    this.#colors.set(name, known)
    return known
  }
}
