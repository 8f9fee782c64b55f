import type { BranchId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import type { Timeline } from './timeline'

/** A view that stays for a while: a chat at a position of its timeline, read on a branch. */
interface TourFrame {
  position: number
  branchId: BranchId
  ms: number
}

/** One caption, and the frames under it, one after another. */
export interface TourStop {
  caption: string
  frames: TourFrame[]
}

/** Length of a tour, in ms. */
const LENGTH = 60_000

/** Time to read a caption, counted in messages. */
const READING = 3

/**
 * Ways in which a branch begins or ends. A later branch of the same kind says the next caption, or goes with the last
 * one.
 */
const captions: Record<'first' | 'again' | 'reworded' | 'joined' | 'together' | 'switch', readonly string[]> =
  {
    first: ['A chat begins as anywhere: a question, an answer. Each message is a point in the graph.'],
    again: [
      'That answer was no good, so the question is asked again. This is a branch: the first answer stays.',
    ],
    reworded: [
      'A question can be edited, too. The old one stays, with everything below it.',
      'Or try another idea altogether, from any message. Nothing else is touched.',
    ],
    joined: ['Branches can come together again: the best of each, in one plan.'],
    together: ['Several answers to one question, side by side. Keep the one you like.'],
    switch: ['Nothing is ever lost. To switch, click the name of a branch: you are there at once.'],
  }

type Kind = keyof typeof captions

/** The messages that came on one branch. */
interface Chapter {
  branchId: BranchId
  nodes: GraphNode[]
  /** the position at which each was there */
  positions: number[]
}

/**
 * The script of a tour through a chat: it grows message by message in the order of its history, then its branches are
 * visited. About a minute, however long the chat is.
 *
 * @example
 * for (const { caption, frames } of tourOf(timeline)) for (const { position } of frames) timeline.graphAt(position)
 */
export function tourOf(timeline: Timeline): TourStop[] {
  const chapters = chaptersOf(timeline)
  const told = new Map<Kind, number>()
  const stops: TourStop[] = []
  const tell = (kind: Kind, [first, ...more]: TourFrame[]) => {
    if (!first) return
    const times = told.get(kind) ?? 0
    told.set(kind, times + 1)
    const caption = captions[kind][times]
    // nothing new to say: the last caption goes on
    if (caption === undefined) stops.at(-1)?.frames.push(first, ...more)
    else stops.push({ caption, frames: [{ ...first, ms: READING }, ...more] })
  }
  const reworded: BranchId[] = []
  chapters.forEach((chapter, at) => {
    const { branchId, positions } = chapter
    const kind = kindOf(chapter, chapters[at - 1], chapters[at + 1])
    if (kind === 'reworded') reworded.push(branchId)
    const frames = positions.map((position) => ({ position, branchId, ms: 1 }))
    tell(kind, frames)
  })
  const position = timeline.length
  const home = timeline.readingAt(position)
  const visited = [...reworded.filter((id) => id !== home), home]
  if (visited.length > 1) {
    const frames = visited.map((branchId) => ({ position, branchId, ms: READING }))
    tell('switch', frames)
  }
  return inTime(stops)
}

function chaptersOf(timeline: Timeline): Chapter[] {
  const chapters = new Map<BranchId, Chapter>()
  timeline.movements.forEach((movement, at) => {
    const node = movement.kind === 'message' && timeline.nodeOf(movement)
    if (!node) return
    const { branchId } = movement
    const chapter = chapters.get(branchId) ?? { branchId, nodes: [], positions: [] }
    chapter.nodes.push(node)
    chapter.positions.push(at + 1)
    chapters.set(branchId, chapter)
  })
  return [...chapters.values()]
}

function kindOf({ nodes }: Chapter, before: Chapter | undefined, after: Chapter | undefined): Kind {
  if (!before) return 'first'
  if (nodes.some(({ mergeParentId }) => mergeParentId !== undefined)) return 'joined'
  const [first] = nodes
  if (first?.role === 'user') return 'reworded'
  const isBeside = (other: Chapter | undefined) =>
    other?.nodes.length === 1 && nodes.length === 1 && other.nodes[0]?.depth === first?.depth
  return isBeside(before) || isBeside(after) ? 'together' : 'again'
}

function inTime(stops: TourStop[]): TourStop[] {
  const total = stops.flatMap(({ frames }) => frames).reduce((sum, { ms }) => sum + ms, 0)
  return stops.map(({ caption, frames }) => ({
    caption,
    frames: frames.map((frame) => ({ ...frame, ms: Math.round((frame.ms * LENGTH) / total) })),
  }))
}
