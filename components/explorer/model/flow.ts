import type { Node } from '@xyflow/react'
import type { DrawnFold, DrawnItem, DrawnMessage, ItemId, PlacedText } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import type { WordMap } from '../labels/words-at'
import { type Box, hitBox, hitSize, type Metrics, type Point, type Size } from './geometry'
import { type GraphModel, isLit } from './graph-model'
import { descriptionOf, originWords } from './words'

/** The looks of an item besides its message. One with the same looks is not drawn again. */
interface Look {
  /** its place among its neighbours in the tree, from 1, and how many there are */
  position: number
  siblings: number
  lit: boolean
  selected: boolean
  /** the item that Tab reaches */
  tab: boolean
  /** its words, and where they stand from its corner, on the screen */
  said: PlacedText | null
  left: number
  top: number
  /** the size of the hit target on the screen; the same for all items at a zoom */
  size: Size
}

interface MessageLook extends Look {
  item: DrawnMessage
  /** the head being read */
  head: boolean
  /** picked for comparing */
  marked: boolean
  /** it is in another context than the message before it */
  contextChanged: boolean
  /** the branch whose messages it took, in words; null for most */
  origin: string | null
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
  words: WordMap,
  metrics: Metrics,
): FlowNode[] {
  const flow: FlowNode[] = []
  const size = hitSize(metrics, words.zoom)
  for (const item of items) {
    const key = item.kind === 'message' ? item.node : item.nodes[0]
    const place = model.map.places.get(item.id)
    if (!place || !key) continue
    const before = known.get(key)
    const box = hitBox(place, metrics, words.zoom)
    const now = flowNode(item, model, standing, words, box, size)
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
  words: WordMap,
  { x, y, width, height }: Box,
  size: Size,
): FlowNode {
  const { drawn, visible, headId } = model
  const siblings = item.parentId === null ? drawn.rootIds : (drawn.byId.get(item.parentId)?.childIds ?? [])
  const said = words.said.get(item.id) ?? null
  const selected = selectedId === item.id
  const isTab = tabId === item.id
  const look: Look = {
    position: siblings.indexOf(item.id) + 1,
    siblings: siblings.length,
    lit: isLit(model, item),
    selected,
    tab: isTab,
    said,
    left: said ? said.box.x - x * words.zoom : 0,
    top: said ? said.box.y - y * words.zoom : 0,
    size,
  }
  const given = {
    id: item.id,
    position: { x, y } satisfies Point,
    width,
    height,
    measured: { width, height },
    handles: [],
    // small marks overlap: the selected or focused one lies above its neighbours
    zIndex: isTab || selected ? 11 : 10,
    style: { pointerEvents: 'none' as const },
    // the mark inside is the tree item; the box around it has no role
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
    contextChanged,
    origin: originWords(model.index, item.node),
    asks: model.index.asksAt(item.id),
    description: descriptionOf(model.index, labels, isMarked, contextChanged, item.node),
  }
  return { ...given, type: 'message', data: { ...look, ...more } }
}

function looksLike(before: FlowNode, now: FlowNode): boolean {
  const { x, y } = before.position
  if (x !== now.position.x || y !== now.position.y) return false
  if (before.width !== now.width || before.height !== now.height || before.zIndex !== now.zIndex) return false
  const { item, said, size: _, ...look } = now.data
  const keys = Object.keys(look) as (keyof typeof look)[]
  const sameWords = before.data.said?.text === said?.text && before.data.said?.lines === said?.lines
  return sameWords && keys.every((key) => before.data[key] === look[key]) && sameItem(before.data.item, item)
}

function sameItem(before: DrawnItem, now: DrawnItem): boolean {
  if (before.id !== now.id || before.row !== now.row) return false
  if (before.kind === 'fold') return now.kind === 'fold' && before.nodes.length === now.nodes.length
  return now.kind === 'message' && before.node === now.node
}
