import { type Edge, type Node, Position } from '@xyflow/react'
import type { MessageId } from '@/lib/events'
import type { Cell, GraphNode, PlacedEdge, Placement, VisibleNode } from '@/lib/graph'
import { cardHeight, cardWidth, cellBox, markX, markY } from './geometry'

export type MessageNode = Node<{ node: GraphNode }, 'message'>
export type LaneEdge = Edge<{ lane: number; lit: boolean; fromColumn: number }, 'lane'>

// handles and measures are given, so that React Flow draws at once and measures nothing
const given: Partial<MessageNode> & Pick<MessageNode, 'type'> = {
  type: 'message',
  width: cardWidth,
  height: cardHeight,
  measured: { width: cardWidth, height: cardHeight },
  handles: [
    { type: 'target', position: Position.Top, x: markX, y: markY, width: 0, height: 0 },
    { type: 'source', position: Position.Bottom, x: markX, y: markY, width: 0, height: 0 },
  ],
  zIndex: 10,
  style: { pointerEvents: 'none' },
  // the card inside is the tree item; the box around it says nothing
  domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined },
}

// React Flow goes through what is a new object only: a message that stands where it stood keeps its object
const nodeOf = new WeakMap<GraphNode, MessageNode>()
const edgeOf = new WeakMap<GraphNode, LaneEdge>()

/** The messages as React Flow wants them. `kept` stays on the page also where it is out of sight. */
export function flowNodes(
  nodes: readonly VisibleNode[],
  placement: Placement,
  kept: MessageId | null,
): MessageNode[] {
  const flow: MessageNode[] = []
  for (const { node } of nodes) {
    const cell = placement.cells.get(node.id)
    if (!cell) continue
    // `dragging` is how React Flow is told to draw a message out of sight: whatever Tab reaches must be on the page
    flow.push(node.id === kept ? { ...messageNode(node, cell), dragging: true } : messageNode(node, cell))
  }
  return flow
}

export function flowEdges(
  byId: ReadonlyMap<MessageId, VisibleNode>,
  placement: Placement,
  lit: ReadonlySet<MessageId>,
): LaneEdge[] {
  const flow: LaneEdge[] = []
  for (const edge of placement.edges) {
    const from = placement.cells.get(edge.from)
    const to = placement.cells.get(edge.to)
    const reply = byId.get(edge.to)?.node
    if (from && to && reply) flow.push(laneEdge(edge, reply, from, to, lit.has(edge.to)))
  }
  return flow
}

function messageNode(node: GraphNode, cell: Cell): MessageNode {
  const { x, y } = cellBox(cell)
  const known = nodeOf.get(node)
  if (known && known.position.x === x && known.position.y === y) return known
  const made: MessageNode = { ...given, id: node.id, position: { x, y }, data: { node } }
  nodeOf.set(node, made)
  return made
}

function laneEdge(edge: PlacedEdge, reply: GraphNode, from: Cell, to: Cell, lit: boolean): LaneEdge {
  const straight = from.column === to.column
  const zIndex = lit ? 2 : straight ? 1 : 0
  const known = edgeOf.get(reply)
  const same =
    known?.source === edge.from && known.data?.fromColumn === from.column && known.zIndex === zIndex
  if (same) return known
  const made: LaneEdge = {
    id: `${edge.from} ${edge.to}`,
    type: 'lane',
    source: edge.from,
    target: edge.to,
    data: { lane: edge.lane, lit, fromColumn: from.column },
    // where a fork leaves a line the line stays whole, and the chain being read lies on top
    zIndex,
    ariaRole: 'presentation',
    domAttributes: { 'aria-hidden': true, 'aria-roledescription': undefined },
  }
  edgeOf.set(reply, made)
  return made
}
