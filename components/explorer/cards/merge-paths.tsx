import { useLaneColor } from '@/components/app/lane'
import type { LineTitle } from '../labels/label-groups'
import { type Metrics, markAt, mergePath } from '../model/geometry'
import type { MergeLine } from '../model/graph-model'

interface MergePathsProps {
  lines: readonly MergeLine[]
  metrics: Metrics
  /** the step of the zoom */
  zoom: number
}

/** The lines of merges, in the colour of the merged branch: thinner than lines of replies, and dashed. */
export function MergePaths({ lines, metrics, zoom }: MergePathsProps) {
  const laneColor = useLaneColor()
  if (lines.length === 0) return null
  return (
    <svg
      aria-hidden="true"
      data-merges
      className="absolute top-0 left-0 size-px overflow-visible"
      style={{ zIndex: -1 }}
    >
      {lines.map(({ id, from, to, lane, lit }) => (
        <path
          key={id}
          d={mergePath(from, to, metrics, zoom)}
          fill="none"
          stroke={laneColor(lane)}
          strokeWidth={(lit ? 2 : 1.5) / zoom}
          strokeOpacity={lit ? 0.9 : 0.5}
          strokeDasharray={`${5 / zoom} ${4 / zoom}`}
          strokeLinecap="round"
        />
      ))}
    </svg>
  )
}

interface BeginningsProps {
  titles: readonly LineTitle[]
  metrics: Metrics
  /** the step of the zoom */
  zoom: number
}

/** A stroke across a line where a branch goes on from the end of another one. */
export function Beginnings({ titles, metrics, zoom }: BeginningsProps) {
  const d = beginningsPath(titles, metrics, zoom)
  if (d === '') return null
  return (
    <svg aria-hidden="true" data-beginnings className="absolute top-0 left-0 size-px overflow-visible">
      <path d={d} fill="none" className="stroke-ink" strokeWidth={2 / zoom} strokeLinecap="round" />
    </svg>
  )
}

/** Half of a stroke across a line, in px of the screen. */
const across = 10

/** Strokes across the lines of the map, half a message before their branches begin. */
export const beginningsPath = (titles: readonly LineTitle[], metrics: Metrics, zoom: number): string =>
  titles
    .filter(({ goesOn }) => goesOn)
    .map(({ from }) => {
      const { x, y } = markAt({ column: from.column - 0.5, row: from.row }, metrics)
      return `M${x} ${y - across / zoom}V${y + across / zoom}`
    })
    .join('')
