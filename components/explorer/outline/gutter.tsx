import { useLaneColor } from '@/components/app/lane'
import type { OutlineRow } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import { laneX } from './row-model'

interface GutterProps {
  row: OutlineRow
  height: number
  head: boolean
}

const bend = 6

/** The lines beside a row and its mark: the graph, as far as this row is part of it. */
export function Gutter({ row, height, head }: GutterProps) {
  const laneColor = useLaneColor()
  const { rails, column, lane } = row
  const x = laneX(column)
  const left = laneX(column - 1)
  const middle = height / 2
  const isBranch = isNamed(row)
  // one line from edge to edge: the mark covers its middle
  const isThrough = !isBranch && rails.above !== null && rails.above === rails.below
  /** The colour of a line; undefined in the row's own lane. */
  const strokeOf = (of: number) => (of === lane ? undefined : laneColor(of))
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden, by itself or with the face of the row
    <svg aria-hidden={row.kind === 'branch' || undefined} width={x + 12} height={height} className="gutter">
      {rails.through.flatMap((through, at) =>
        through === null
          ? []
          : [<path key={laneX(at)} d={`M${laneX(at)} 0V${height}`} stroke={strokeOf(through)} />],
      )}
      {rails.above !== null && (
        <path
          d={`M${x} 0V${isThrough ? height : isBranch ? middle - 8 : middle}`}
          stroke={strokeOf(rails.above)}
        />
      )}
      {rails.bends && (
        <path
          d={`M${left} 0V${middle - bend}Q${left} ${middle} ${left + bend} ${middle}H${x - (isBranch ? 7 : 4)}`}
        />
      )}
      {rails.below !== null && !isThrough && (
        <path d={`M${x} ${isBranch ? middle + 8 : middle}V${height}`} stroke={strokeOf(rails.below)} />
      )}
      <Mark row={row} x={x} y={middle} head={head} />
    </svg>
  )
}

/** A row that bears the mark of a branch; the rest of a line is marked as a fold. */
const isNamed = (row: OutlineRow): boolean => row.kind === 'branch' && (row.branch !== null || !row.goesOn)

/** The colour of the row's lane. */
const color = 'var(--lane)'

function Mark({ row, x, y, head }: { row: OutlineRow; x: number; y: number; head: boolean }) {
  if (row.kind === 'message') return <MessageMark node={row.item.node} x={x} y={y} head={head} />
  if (row.kind === 'fold' || (row.kind === 'branch' && !isNamed(row))) {
    return [-5, 0, 5].map((by) => (
      <circle key={by} cx={x} cy={y + by} r={2.5} fill={color} className="stroke-canvas" strokeWidth={1.5} />
    ))
  }
  // a branch, as on its label: two ends and the line between them
  if (row.kind === 'branch') {
    return (
      <g strokeWidth={1.5} strokeLinecap="round">
        <path d={`M${x - 3} ${y - 5}V${y + 2}M${x + 3.5} ${y - 2}Q${x + 3.5} ${y + 4} ${x - 1} ${y + 4}`} />
        <circle cx={x - 3} cy={y + 4} r={2} />
        <circle cx={x + 3.5} cy={y - 4} r={2} />
      </g>
    )
  }
  return [-4, 0, 4].map((by) => (
    <circle key={by} cx={x + by} cy={y} r={1.5} stroke="none" className="fill-faint" />
  ))
}

interface MessageMarkProps {
  node: GraphNode
  x: number
  y: number
  head: boolean
}

/** The author by shape, as on the map: a hollow square for you, a disc for the assistant, else a diamond. */
function MessageMark({ node, x, y, head }: MessageMarkProps) {
  return (
    <>
      {head && <circle cx={x} cy={y} r={8.5} className="fill-accent-soft stroke-accent" strokeWidth={1.5} />}
      {node.status === 'streaming' && (
        <circle
          cx={x}
          cy={y}
          r={head ? 11 : 8}
          strokeWidth={1.5}
          strokeDasharray="3 2.5"
          className="origin-center animate-[spin_3s_linear_infinite] [transform-box:fill-box]"
        />
      )}
      {node.role === 'assistant' ? (
        <circle cx={x} cy={y} r={3.5} fill={color} />
      ) : (
        <rect
          x={x - 4}
          y={y - 4}
          className={head ? 'fill-raised' : undefined}
          {...(node.role !== 'user' && { transform: `rotate(45 ${x} ${y})` })}
        />
      )}
    </>
  )
}
