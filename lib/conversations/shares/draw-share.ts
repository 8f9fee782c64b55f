import { NotFoundError } from '@/lib/context'
import { hueOf, laneHues } from '@/lib/graph'
import type { OpenedShare } from '@/lib/protocol'
import { openShare } from './read-share'
import type { SharingPorts } from './shares-port'
import { readShownGraph } from './shown-graph'

/** Lanes and messages that a picture shows at most. */
const [MOST_LANES, MOST_DOTS] = [40, 240]
/** A branch without the others is drawn as a line of so many messages at most. */
const MOST_ROWS = 12

/** Small picture of a shared chat. Places are columns and rows. */
export interface SharePicture {
  title: string
  /** below the title */
  lines: string[]
  columns: number
  rows: number
  lanes: {
    /** its colour, from 0 to 7 */
    hue: number
    at: number
    from: number
    to: number
    /** the place at which it leaves another lane */
    leaves?: { column: number; row: number }
  }[]
  /** empty when there are too many */
  dots: { hue: number; at: number; row: number; isPerson: boolean }[]
}

/** Draws the content of a link, bounded for any size. Rejects with `NotFoundError`. */
export async function drawShare(ports: SharingPorts, token: string): Promise<SharePicture> {
  const share = await openShare(ports, token)
  const title = share.title ?? ''
  return { title, ...(share.withGraph ? await manyLanes(ports, share) : oneLane(share)) }
}

/** Without the graph: one line. Nothing in it is another branch's. */
function oneLane({ end }: OpenedShare): Omit<SharePicture, 'title'> {
  const count = end.depth + 1
  const rows = Math.min(count, MOST_ROWS)
  return {
    lines: [messagesIn(count), 'A shared conversation'],
    columns: 1,
    rows,
    lanes: [{ hue: 0, at: 0, from: 0, to: rows - 1 }],
    dots: Array.from({ length: rows }, (_, row) => ({ hue: 0, at: 0, row, isPerson: row % 2 === 0 })),
  }
}

async function manyLanes(ports: SharingPorts, share: OpenedShare): Promise<Omit<SharePicture, 'title'>> {
  const graph = await readShownGraph(ports, share)
  if (!graph) throw new NotFoundError('share', '')
  const spans = new Map<number, { from: number; to: number; count: number }>()
  for (const { lane, depth } of graph.nodes) {
    const span = spans.get(lane)
    if (span) {
      span.from = Math.min(span.from, depth)
      span.to = Math.max(span.to, depth)
      span.count += 1
    } else spans.set(lane, { from: depth, to: depth, count: 1 })
  }
  const hues = laneHues(graph.lanes)
  const known = new Map(graph.lanes.map((lane) => [lane.lane, lane]))
  // parent lanes come first, so leaving lanes out leaves no gap
  const kept = [...spans.keys()].sort((a, b) => a - b).slice(0, MOST_LANES)
  const columns = new Map(kept.map((lane, at) => [lane, at]))
  const lanes = kept.flatMap((lane) => {
    const [span, at] = [spans.get(lane), columns.get(lane)]
    if (!span || at === undefined) return []
    const above = columns.get(known.get(lane)?.parentLane ?? -1)
    const leaves = above === undefined ? {} : { leaves: { column: above, row: span.from - 1 } }
    return [{ hue: hueOf(hues, lane), at, from: span.from, to: span.to, ...leaves }]
  })
  const dots =
    graph.nodes.length > MOST_DOTS
      ? []
      : graph.nodes.flatMap(({ lane, depth, role }) => {
          const at = columns.get(lane)
          return at === undefined
            ? []
            : [{ hue: hueOf(hues, lane), at, row: depth, isPerson: role === 'user' }]
        })
  const branches = graph.branches.length
  return {
    lines: [
      messagesIn(graph.nodes.length),
      branches === 1 ? 'A shared conversation' : `${branches} branches`,
    ],
    columns: kept.length,
    rows: Math.max(1, ...lanes.map(({ to }) => to + 1)),
    lanes,
    dots,
  }
}

const messagesIn = (count: number): string =>
  count === 1 ? 'One message' : `${count.toLocaleString('en')} messages`
