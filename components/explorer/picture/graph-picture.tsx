import type { CSSProperties } from 'react'
import type { BranchId } from '@/lib/events'
import { type Cell, type DrawnItem, indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { FoldFace } from '../cards/fold-card'
import { LanePaths } from '../cards/lane-paths'
import { CardFace } from '../cards/message-card'
import { BranchFace, branchChip, FlagFace, flagChip, flagsOf } from '../labels/label-face'
import {
  type Box,
  cellBox,
  drawingBox,
  finePointer as metrics,
  openingBounds,
  openingView,
} from '../model/geometry'
import { type GraphModel, graphModel, isLit } from '../model/graph-model'
import { type Level, labelStyle, levelAt, levelMarks, zoomedStyle } from '../model/level'
import { Cells, cellsInView } from '../model/view-window'
import { laneColor } from '../model/words'

/** The usual size of the panel: the server does not know the real one, and the level of detail depends on it. */
const usual = { width: 500, height: 850 }
/** Larger than most panels: nothing beyond it is drawn. */
const large = { width: 1400, height: 1300 }

/**
 * The first view of the explorer, drawn by the server with the same layout, until the code of the explorer is loaded.
 * Nothing in it can be used yet, and a screen reader hears that the graph is loading.
 */
export function GraphPicture({ graph, branchId }: { graph: Graph; branchId: BranchId }) {
  const model = graphModel(indexGraph(graph), { branchId })
  const { placement, headId } = model
  if (model.visible.nodes.length === 0) return <EmptyGraph />
  const drawing = drawingBox(placement.columns, placement.rows, metrics)
  const headCell = headId === null ? undefined : placement.cells.get(headId)
  const head = headCell ? cellBox(headCell, metrics) : drawing
  const level = levelAt(openingView(drawing, head, usual).zoom)
  const range = cellsInView(openingView(drawing, head, large), large, metrics)
  const cells = new Cells(model.drawn, placement)
  return (
    <div
      role="status"
      aria-label="Loading the graph"
      className="h-full overflow-hidden bg-canvas [container-type:size]"
    >
      <div
        aria-hidden
        className="group/graph absolute isolate"
        style={{ ...openingStyle(drawing, head), ...zoomedStyle }}
        {...levelMarks(level)}
      >
        <LanePaths lines={cells.linesInRange(range)} model={model} metrics={metrics} />
        {cells.inRange(range).map((item) => {
          const cell = placement.cells.get(item.id)
          return cell && <PicturedItem key={item.id} item={item} cell={cell} level={level} model={model} />
        })}
      </div>
    </div>
  )
}

interface PicturedItemProps {
  item: DrawnItem
  cell: Cell
  level: Level
  model: GraphModel
}

function PicturedItem({ item, cell, level, model }: PicturedItemProps) {
  const { x, y, width, height } = cellBox(cell, metrics)
  const lit = isLit(model, item)
  const labels = model.visible.labels.get(item.id)
  const lane = { '--lane': laneColor(item.lane) } as CSSProperties
  return (
    <>
      <div
        className="absolute top-0 left-0 flex items-center"
        style={{ ...lane, width, height, transform: `translate(${x}px, ${y}px)` }}
      >
        {item.kind === 'fold' ? (
          <FoldFace count={item.nodes.length} lit={lit} />
        ) : (
          <CardFace
            node={item.node}
            lit={lit}
            head={model.headId === item.id}
            labelled={labels !== undefined}
          />
        )}
      </div>
      {labels && (
        <div
          className="absolute top-0 left-0 flex w-max gap-1"
          style={{ ...lane, ...labelStyle(cell, level, metrics) }}
        >
          {labels.branches.map((branch) => {
            const isHere = branch.id === model.branchId
            return (
              <span key={branch.id} className={branchChip(branch, isHere)}>
                <BranchFace branch={branch} isHere={isHere} />
              </span>
            )
          })}
          {flagsOf(labels, model.branchId).named.map(({ id, name }) => (
            <span key={id} className={flagChip}>
              <FlagFace name={name} />
            </span>
          ))}
        </div>
      )}
    </>
  )
}

/**
 * The view of {@link openingView} as a style: the server does not know how large the panel is, so CSS
 * does the sums. For a box inside one with `container-type: size`; sets `--zoom`.
 */
function openingStyle(drawing: Box, head: Box): CSSProperties {
  const { pad, top, bottom, right, readableZoom, headAt } = openingBounds
  // a length by a length is a number: the tangent of their angle
  const ratio = (room: string, size: number) => `tan(atan2(${room}, ${size}px))`
  const fit = [
    '1',
    ratio(`100cqw - ${2 * pad}px`, drawing.width),
    ratio(`100cqh - ${top + bottom}px`, drawing.height),
  ].join(', ')
  const either = (whole: string, part: string) =>
    `calc(var(--whole) * (${whole}) + (1 - var(--whole)) * (${part}))`
  const x = either(
    `(100cqw - ${drawing.width}px * var(--fit)) / 2`,
    `min(max(${pad}px, (100cqw - ${drawing.width}px) / 2), 100cqw - ${right + head.x + head.width}px)`,
  )
  const y = either(`${top}px`, `min(${top}px, ${headAt * 100}cqh - ${head.y}px)`)
  return {
    '--fit': `min(${fit})`,
    // 1 while all of it can be read, 0 below that
    '--whole': `clamp(0, (var(--fit) - ${readableZoom}) * 1000000 + 1, 1)`,
    '--zoom': 'calc(1 + (var(--fit) - 1) * var(--whole))',
    transform: `translate(${x}, ${y}) scale(var(--zoom))`,
    transformOrigin: '0 0',
  } as CSSProperties
}

/** An empty graph: a drawing of a graph to come, and a sentence. */
export function EmptyGraph() {
  return (
    <div className="grid h-full place-items-center p-6">
      <div className="max-w-64 text-center">
        <svg viewBox="0 0 132 132" aria-hidden="true" className="mx-auto mb-5 size-33 fill-none">
          <g strokeWidth="2" strokeLinecap="round">
            <path d="M42 20V112" className="stroke-line-strong" />
            <path d="M42 50V56Q42 66 52 66H72Q82 66 82 76V112" stroke="var(--lane-1)" strokeDasharray="1 5" />
          </g>
          <g className="fill-canvas stroke-line-strong" strokeWidth="2">
            <rect x="36" y="14" width="12" height="12" rx="3" />
            <circle cx="42" cy="50" r="6" />
            <rect x="36" y="76" width="12" height="12" rx="3" />
            <rect x="76" y="76" width="12" height="12" rx="3" stroke="var(--lane-1)" />
            <circle cx="42" cy="112" r="6" />
            <circle cx="82" cy="112" r="6" stroke="var(--lane-1)" />
          </g>
        </svg>
        <p className="text-muted text-sm">
          The map of this chat grows here. Every answer is kept; trying another way starts a branch.
        </p>
      </div>
    </div>
  )
}
