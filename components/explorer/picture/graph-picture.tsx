import type { CSSProperties } from 'react'
import type { BranchId } from '@/lib/events'
import { type Cell, type DrawnItem, indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { LanePaths } from '../canvas/lane-paths'
import { type Level, labelStyle, levelAt, levelMarks, zoomedStyle } from '../canvas/level'
import { CardFace } from '../cards/card-face'
import { FoldFace } from '../cards/fold-face'
import { EmptyGraph } from '../empty-graph'
import { BranchFace, branchChip, FlagFace, flagChip, flagsOf } from '../labels/label-face'
import { cellBox, drawingBox, finePointer as metrics, openingView } from '../model/geometry'
import { type GraphModel, graphModel, isLit } from '../model/graph-model'
import { Cells, cellsInView } from '../model/view-window'
import { laneColor } from '../words'
import { openingStyle } from './opening-style'

interface GraphPictureProps {
  graph: Graph
  branchId: BranchId
}

/** The panel of a common window, for what depends on its size and cannot be left to the browser. */
const usual = { width: 500, height: 850 }
/** Larger than most panels: what is drawn beyond is never seen. */
const large = { width: 1400, height: 1300 }

/**
 * What the explorer shows when it opens, to look at until the code behind it is here: the first thing a reader sees, from
 * the server, laid out by the same function. Nothing in it can be used yet, so a screen reader is told to wait.
 */
export function GraphPicture({ graph, branchId }: GraphPictureProps) {
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
        {cells.inRange(range, new Set()).map((item) => {
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
