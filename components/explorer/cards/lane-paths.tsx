import { laneColor } from '@/components/app/lane'
import { linePath, type Metrics } from '../model/geometry'
import { type GraphModel, lineIsLit } from '../model/graph-model'
import type { PlacedLine } from '../model/view-window'

interface LanePathsProps {
  lines: readonly PlacedLine[]
  model: GraphModel
  metrics: Metrics
}

/**
 * The lines from messages to replies: one path for each colour, which costs as much as a single line. The chain being
 * read lies on top.
 */
export function LanePaths({ lines, model, metrics }: LanePathsProps) {
  return (
    <svg aria-hidden="true" className="absolute top-0 left-0 size-px overflow-visible" style={{ zIndex: -1 }}>
      {pathsOf(lines, model, metrics).map(({ key, lane, lit, d }) => (
        <path
          key={key}
          d={d}
          fill="none"
          stroke={laneColor(lane)}
          strokeWidth={lit ? 2.5 : 1.5}
          strokeOpacity={lit ? 1 : 0.5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

interface LanePath {
  key: string
  lane: number
  lit: boolean
  d: string
}

function pathsOf(lines: readonly PlacedLine[], model: GraphModel, metrics: Metrics): LanePath[] {
  const paths = new Map<string, LanePath>()
  for (const line of lines) {
    const item = model.drawn.byId.get(line.to)
    if (!item) continue
    const lit = lineIsLit(model, item)
    const lane = line.lane % 8
    const key = `${lane}${lit ? ' lit' : ''}`
    const path = paths.get(key) ?? { key, lane, lit, d: '' }
    path.d += linePath(line, line.start, line.end, metrics)
    paths.set(key, path)
  }
  return [...paths.values()].sort((a, b) => Number(a.lit) - Number(b.lit))
}
