import { hueColor, useLaneHues } from '@/components/app/lane'
import { columnsOf, type DrawnItem, hueOf, type LaneHues, type MapLine, type Place } from '@/lib/graph'
import { linePath, type Metrics, markAt } from '../model/geometry'
import { type GraphModel, isLit, lineIsLit } from '../model/graph-model'
import type { Level } from '../model/level'

interface LanePathsProps {
  model: GraphModel
  metrics: Metrics
  level: Level
  /** the step of the zoom: lines and marks keep their size on the screen */
  zoom: number
  /** the items whose marks are drawn */
  items: readonly DrawnItem[]
}

/** The lines of the map and its marks: one path for each colour, which costs as much as a single line. The path being read lies on top. */
export function LanePaths({ model, metrics, level, zoom, items }: LanePathsProps) {
  const hues = useLaneHues()
  const strokes = strokesOf(model, hues, metrics, zoom)
  const marks = level === 'far' ? [] : marksOf(items, model, hues, metrics, zoom)
  const px = 1 / zoom
  return (
    <svg aria-hidden="true" className="absolute top-0 left-0 size-px overflow-visible" style={{ zIndex: -1 }}>
      {strokes.map(({ key, hue, kind, lit, d }) => (
        <path
          key={key}
          d={d}
          fill="none"
          stroke={hueColor(hue)}
          strokeWidth={(lit ? 3.5 : kind === 'stem' ? 1 : 2.25) * px}
          strokeOpacity={lit ? 1 : kind === 'stem' ? 0.35 : 0.6}
          strokeDasharray={kind === 'fold' && level !== 'far' ? `${px} ${6 * px}` : undefined}
          strokeLinecap="round"
        />
      ))}
      {marks.map(({ key, hue, lit, discs, squares }) => (
        <g key={key} stroke={hueColor(hue)} strokeOpacity={lit ? 1 : 0.75} fill="none">
          <path d={discs} strokeWidth={(lit ? 10 : 8.5) * px} strokeLinecap="round" />
          <path
            d={squares}
            strokeWidth={(lit ? 9.5 : 8.5) * px}
            strokeLinecap="square"
            className="stroke-canvas"
            strokeOpacity={1}
          />
          <path d={squares} strokeWidth={(lit ? 9.5 : 8.5) * px} strokeLinecap="square" />
          <path
            d={squares}
            strokeWidth={4 * px}
            strokeOpacity={1}
            strokeLinecap="square"
            className="stroke-canvas"
          />
        </g>
      ))}
    </svg>
  )
}

/** Lines of one look, as one path. */
export interface Stroke {
  key: string
  hue: number
  /** along a line, along a folded stretch, or down to where a line begins */
  kind: 'line' | 'fold' | 'stem'
  lit: boolean
  d: string
}

/** The lines of a map; the lines of the path being read come last. */
export function strokesOf(model: GraphModel, hues: LaneHues, metrics: Metrics, zoom: number): Stroke[] {
  const strokes = new Map<string, Stroke>()
  const add = (lane: number, kind: Stroke['kind'], lit: boolean, from: Place, to: Place) => {
    const hue = hueOf(hues, lane)
    const key = `${hue} ${kind} ${lit}`
    const stroke = strokes.get(key) ?? { key, hue, kind, lit, d: '' }
    stroke.d += linePath(from, to, metrics, zoom)
    strokes.set(key, stroke)
  }
  const lit = litRows(model)
  for (const line of model.map.lines) {
    const runs = lit.has(line.row) ? runsOf(line, model) : unlitRunsOf(line, model)
    for (const run of runs) add(run.lane, run.kind, run.lit, run.from, run.to)
  }
  return [...strokes.values()].sort((a, b) => Number(a.lit) - Number(b.lit))
}

interface Run {
  lane: number
  kind: Stroke['kind']
  lit: boolean
  from: Place
  to: Place
}

/** The rows in which something is lit. */
function litRows({ lit, drawn, map }: GraphModel): ReadonlySet<number> {
  const rows = new Set<number>()
  for (const id of lit) {
    const item = drawn.itemOf(id)
    const place = item && map.places.get(item.id)
    if (place) rows.add(place.row)
  }
  return rows
}

const unlit = new WeakMap<MapLine, readonly Run[]>()

/** The runs of a line of which nothing is lit: the same as long as the line is. */
function unlitRunsOf(line: MapLine, model: GraphModel): readonly Run[] {
  const runs = unlit.get(line) ?? runsOf(line, model)
  unlit.set(line, runs)
  return runs
}

/** A line as the fewest runs of one look. */
function runsOf({ items, stem }: MapLine, model: GraphModel): Run[] {
  const runs: Run[] = []
  let end = stem
  const add = (run: Run) => {
    const before = runs.at(-1)
    const goesOn =
      before &&
      before.kind === run.kind &&
      before.lane === run.lane &&
      before.lit === run.lit &&
      run.kind === 'line'
    if (goesOn) before.to = run.to
    else runs.push(run)
  }
  for (const item of items) {
    const place = model.map.places.get(item.id)
    if (!place) continue
    const lit = lineIsLit(model, item)
    const { lane } = item
    if (end) add({ lane, lit, kind: end.row === place.row ? 'line' : 'stem', from: end, to: place })
    end = place
    if (item.kind !== 'fold') continue
    end = { ...place, column: place.column + columnsOf(item) - 1 }
    add({ lane, lit: isLit(model, item), kind: 'fold', from: place, to: end })
  }
  const [first] = items
  const at = first && model.map.places.get(first.id)
  // a line of one message is a dot
  if (first && at && items.length === 1)
    add({ lane: first.lane, lit: isLit(model, first), kind: 'line', from: at, to: at })
  return runs
}

/** Marks of one colour: a disc for the assistant, a hollow square for anybody else. */
interface Marks {
  key: string
  hue: number
  lit: boolean
  discs: string
  squares: string
}

function marksOf(
  items: readonly DrawnItem[],
  model: GraphModel,
  hues: LaneHues,
  metrics: Metrics,
  zoom: number,
): Marks[] {
  const all = new Map<string, Marks>()
  for (const item of items) {
    const place = item.kind === 'message' && model.map.places.get(item.id)
    if (!place || item.kind !== 'message') continue
    const lit = isLit(model, item)
    const hue = hueOf(hues, item.lane)
    const key = `${hue} ${lit}`
    const marks = all.get(key) ?? { key, hue, lit, discs: '', squares: '' }
    const { x, y } = markAt(place, metrics)
    // a line of no length is a mark as wide as its stroke
    const dot = `M${x} ${y}h${0.01 / zoom}`
    if (item.node.role === 'user') marks.squares += dot
    else marks.discs += dot
    all.set(key, marks)
  }
  return [...all.values()].sort((a, b) => Number(a.lit) - Number(b.lit))
}
