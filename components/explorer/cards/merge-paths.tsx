import { useLaneColor } from '@/components/app/lane'
import { type Metrics, mergePath } from '../model/geometry'
import type { MergeLine } from '../model/graph-model'

interface MergePathsProps {
  lines: readonly MergeLine[]
  metrics: Metrics
  /** the step of the zoom */
  zoom: number
}

/** The lines of merges, in the colour of what was merged: thinner than those of replies, and dashed. */
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
