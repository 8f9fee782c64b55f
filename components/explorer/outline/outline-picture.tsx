import type { CSSProperties } from 'react'
import { useLaneStyle } from '@/components/app/lane'
import type { BranchId } from '@/lib/events'
import { indexGraph, lineHeirs } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { graphModel } from '../model/graph-model'
import { EmptyGraph } from '../picture/empty-graph'
import { RowFace } from './outline-row'
import { bottomRoom, headAt, rowHeights, rowLook, usualRoom } from './row-model'
import { openingOutline } from './use-outline'

/** More rows than most panes show. */
const most = 60
const height = rowHeights.fine
const unmarked = { tabId: null, selectedId: null, marked: [], found: null }

/**
 * The first view of the outline, drawn by the server from the same rows, until the code of the explorer is loaded. Nothing
 * in it can be used yet, and a screen reader hears that the graph is loading.
 */
export function OutlinePicture({ graph, branchId }: { graph: Graph; branchId: BranchId }) {
  const laneStyle = useLaneStyle()
  const index = indexGraph(graph)
  const base = graphModel(index, { branchId })
  if (base.visible.nodes.length === 0) return <EmptyGraph />
  const { model, rows } = openingOutline(base, lineHeirs(base.index), usualRoom)
  const head = Math.max(
    0,
    rows.findIndex(({ id }) => id === model.headId),
  )
  const first = Math.max(0, head - most)
  // most rows are in the lane of the head: the HTML says it once
  const mainLane = rows[head]?.lane ?? 0
  return (
    <div
      role="status"
      aria-label="Loading the graph"
      className="h-full overflow-hidden bg-canvas [container-type:size]"
    >
      <div
        aria-hidden
        style={{ ...openingStyle(rows.length, head), ...laneStyle(mainLane), paddingTop: first * height }}
      >
        {rows.slice(first, head + most).map((row) => (
          <div
            key={row.id}
            className="outline-picture-row"
            style={row.lane === mainLane ? undefined : laneStyle(row.lane)}
          >
            <RowFace look={rowLook(row, model, unmarked, height)} chips="drawn" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** As `openingTop` scrolls it: the server does not know how high the pane is, so CSS does the sum. */
const openingStyle = (rows: number, head: number): CSSProperties => ({
  transform: `translateY(calc(-1 * max(0px, min(${(head + 1) * height}px - ${headAt * 100}cqh, ${rows * height + bottomRoom}px - 100cqh))))`,
})
