import type { CSSProperties } from 'react'
import type { BranchId } from '@/lib/events'
import { type Cell, type DrawnItem, indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { FoldFace } from '../cards/fold-card'
import { LanePaths } from '../cards/lane-paths'
import { CardFace } from '../cards/message-card'
import { BranchFace, branchChip, FlagFace, flagChip } from '../labels/label-face'
import { groupLook, groupStyle, Leaders } from '../labels/label-look'
import { labelsAt, openingMeasures, openingOf } from '../labels/opening'
import type { LabelMap } from '../labels/place-labels'
import { cellBox, finePointer as metrics, openingBounds } from '../model/geometry'
import { type GraphModel, graphModel, isLit } from '../model/graph-model'
import { levelAt, levelMarks, stepOf, textEnd, zoomedStyle } from '../model/level'
import { Cells, cellsInView, isInRange } from '../model/view-window'
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
  const { placement } = model
  if (model.visible.nodes.length === 0) return <EmptyGraph />
  const opening = openingMeasures(model, metrics)
  const zoom = stepOf(openingOf(model, metrics, usual).zoom)
  const level = levelAt(zoom)
  const labels = labelsAt(model, level, zoom, metrics)
  const range = cellsInView(openingOf(model, metrics, large), large, metrics)
  const cells = new Cells(model.drawn, placement)
  const labelled = [...labels.placed.values()].filter(({ group }) => isInRange(group.cell, range))
  return (
    <div
      role="status"
      aria-label="Loading the graph"
      className="h-full overflow-hidden bg-canvas [container-type:size]"
    >
      <div
        aria-hidden
        className="group/graph absolute isolate"
        style={{ ...openingStyle(opening), ...zoomedStyle(level, zoom, metrics) }}
        {...levelMarks(level)}
      >
        <LanePaths lines={cells.linesInRange(range)} model={model} metrics={metrics} />
        <Leaders shown={labelled} zoom={zoom} />
        {cells.inRange(range).map((item) => {
          const cell = placement.cells.get(item.id)
          return cell && <PicturedItem key={item.id} item={item} cell={cell} labels={labels} model={model} />
        })}
        {labelled.map((placed) => (
          <div key={placed.group.id} className={groupLook(placed)} style={groupStyle(placed, zoom)}>
            {placed.group.branches.map(({ branch, title, isHere, waits }) => (
              <span key={branch.id} className={branchChip(branch, isHere, waits)}>
                <BranchFace title={title} isHere={isHere} />
              </span>
            ))}
            {placed.group.flags.map(({ id, name }) => (
              <span key={id} className={flagChip}>
                <FlagFace name={name} />
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

interface PicturedItemProps {
  item: DrawnItem
  cell: Cell
  labels: LabelMap
  model: GraphModel
}

function PicturedItem({ item, cell, labels, model }: PicturedItemProps) {
  const { x, y, width, height } = cellBox(cell, metrics)
  const lit = isLit(model, item)
  const labelled = labels.textRoom(item) === 0 || (labels.placed.get(item.id)?.instead ?? false)
  const mid =
    labels.level === 'mid' ? metrics.gutter + (labelled ? 0 : Math.round(labels.textRoom(item))) : width
  return (
    <div
      className="absolute top-0 left-0 flex items-center"
      style={
        {
          '--lane': laneColor(item.lane),
          width: mid,
          maxWidth: labels.level === 'mid' ? `calc((100cqw - ${textEnd}px) / ${labels.zoom})` : undefined,
          height,
          transform: `translate(${x}px, ${y}px)`,
        } as CSSProperties
      }
    >
      {item.kind === 'fold' ? (
        <FoldFace count={item.nodes.length} lit={lit} />
      ) : (
        <CardFace node={item.node} lit={lit} head={model.headId === item.id} labelled={labelled} />
      )}
    </div>
  )
}

/**
 * The view of {@link openingView} as a style: the server does not know how large the panel is, so CSS
 * does the sums. For a box inside one with `container-type: size`; sets `--zoom`.
 */
function openingStyle({ drawing, head, over, headRoom }: ReturnType<typeof openingMeasures>): CSSProperties {
  const { pad, top, bottom, right, wholeZoom, readableZoom, partZoom, headAt, textWidth } = openingBounds
  // a length by a length is a number: the tangent of their angle
  const ratio = (room: string, size: number) => `tan(atan2(${room}, ${size}px))`
  const either = (whole: string, part: string) =>
    `calc(var(--whole) * (${whole}) + (1 - var(--whole)) * (${part}))`
  const centred = `(100cqw - max(${textWidth}px, ${over.left + over.right}px + ${drawing.width}px * var(--zoom))) / 2`
  const x = either(
    `max(${pad}px, ${centred}) + ${over.left}px`,
    `min(max(${pad}px, ${centred} + ${over.left}px), 100cqw - ${right}px - ${head.x}px * var(--zoom) - max(${head.width}px * var(--zoom), ${headRoom}px))`,
  )
  const from = top + over.top
  const y = either(`${from}px`, `min(${from}px, ${headAt * 100}cqh - ${head.y}px * var(--zoom))`)
  return {
    '--fit': `min(1, ${ratio(`100cqw - ${2 * pad + over.left + over.right}px`, drawing.width)}, ${ratio(`100cqh - ${top + bottom + over.top + over.bottom}px`, drawing.height)})`,
    // 1 while all of it can be read, 0 below that
    '--whole': `clamp(0, (var(--fit) - ${wholeZoom}) * 1000000 + 1, 1)`,
    '--part': `max(${readableZoom}, min(${partZoom}, ${ratio(`100cqw - ${2 * pad + over.right}px`, drawing.width)}))`,
    '--zoom': 'calc(var(--fit) * var(--whole) + var(--part) * (1 - var(--whole)))',
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
