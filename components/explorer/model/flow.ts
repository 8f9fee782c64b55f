import type { Node } from '@xyflow/react'
import type { DrawnFold, DrawnItem, DrawnMessage, ItemId } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import type { LabelMap } from '../labels/place-labels'
import { cellBox, type Metrics, type Point } from './geometry'
import { type GraphModel, isLit } from './graph-model'
import { descriptionOf } from './words'

/** The looks of a card besides its message. A card with the same looks is not drawn again. */
interface Look {
  /** its place among its neighbours in the tree, from 1, and how many there are */
  position: number
  siblings: number
  lit: boolean
  selected: boolean
  /** the item that Tab reaches */
  tab: boolean
  /** how wide its text may be, in the drawing's pixels */
  textRoom: number
}

interface MessageLook extends Look {
  item: DrawnMessage
  /** the head being read */
  head: boolean
  /** picked for comparing */
  marked: boolean
  /** labels stand in place of its text, or it has no room */
  labelled: boolean
  /** it is in another context than the message before it */
  contextChanged: boolean
  /** a tool waits in it for a person */
  asks: boolean
  /** for a screen reader: the labels lie elsewhere in the page */
  description: string | undefined
}

interface FoldLook extends Look {
  item: DrawnFold
}

export type MessageFlowNode = Node<MessageLook & Record<string, unknown>, 'message'>
export type FoldFlowNode = Node<FoldLook & Record<string, unknown>, 'fold'>
type FlowNode = MessageFlowNode | FoldFlowNode

interface Standing {
  selectedId: ItemId | null
  tabId: ItemId | null
  marked: readonly ItemId[]
}

// React Flow draws only new objects: an item with the same looks keeps its object
const known = new WeakMap<GraphNode, FlowNode>()

/** Items for React Flow, with measures and handles: it draws at once and measures nothing. */
export function flowNodes(
  items: readonly DrawnItem[],
  model: GraphModel,
  standing: Standing,
  labels: LabelMap,
  metrics: Metrics,
): FlowNode[] {
  const flow: FlowNode[] = []
  for (const item of items) {
    const cell = model.placement.cells.get(item.id)
    const key = item.kind === 'message' ? item.node : item.nodes[0]
    if (!cell || !key) continue
    const { x, y } = cellBox(cell, metrics)
    const before = known.get(key)
    const now = flowNode(item, model, standing, labels, metrics, { x, y })
    const same = before && looksLike(before, now)
    if (!same) known.set(key, now)
    flow.push(same ? before : now)
  }
  return flow
}

function flowNode(
  item: DrawnItem,
  model: GraphModel,
  { selectedId, tabId, marked }: Standing,
  labelMap: LabelMap,
  { cardWidth: width, cardHeight: height }: Metrics,
  position: Point,
): FlowNode {
  const { drawn, visible, headId } = model
  const siblings = item.parentId === null ? drawn.rootIds : (drawn.byId.get(item.parentId)?.childIds ?? [])
  const look: Look = {
    position: siblings.indexOf(item.id) + 1,
    siblings: siblings.length,
    lit: isLit(model, item),
    selected: selectedId === item.id,
    tab: tabId === item.id,
    textRoom: Math.round(labelMap.textRoom(item)),
  }
  const given = {
    id: item.id,
    position,
    width,
    height,
    measured: { width, height },
    handles: [],
    zIndex: 10,
    style: { pointerEvents: 'none' as const },
    // the card inside is the tree item; the box around it has no role
    domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined },
  }
  if (item.kind === 'fold') return { ...given, type: 'fold', data: { ...look, item } }
  const labels = visible.labels.get(item.id)
  const isMarked = marked.includes(item.id)
  const contextChanged = model.index.changesContext(item.id)
  const more = {
    item,
    head: headId === item.id,
    marked: isMarked,
    labelled: look.textRoom === 0 || (labelMap.placed.get(item.id)?.instead ?? false),
    contextChanged,
    asks: model.index.asksAt(item.id),
    description: descriptionOf(model.index, labels, isMarked, contextChanged, item.node),
  }
  return { ...given, type: 'message', data: { ...look, ...more } }
}

function looksLike(before: FlowNode, now: FlowNode): boolean {
  const { x, y } = before.position
  if (x !== now.position.x || y !== now.position.y || before.height !== now.height) return false
  const { item, ...look } = now.data
  const keys = Object.keys(look) as (keyof typeof look)[]
  return keys.every((key) => before.data[key] === look[key]) && sameItem(before.data.item, item)
}

function sameItem(before: DrawnItem, now: DrawnItem): boolean {
  if (before.id !== now.id || before.row !== now.row) return false
  if (before.kind === 'fold') return now.kind === 'fold' && before.nodes.length === now.nodes.length
  return now.kind === 'message' && before.node === now.node
}
