'use client'

import { ReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useMemo,
  useState,
} from 'react'
import { keysOf } from '@/components/actions/action'
import { itemKeys } from '@/components/actions/on-graph'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { type DrawnItem, foldsBeyond, type ItemId } from '@/lib/graph'
import { FoldCard } from '../cards/fold-card'
import { LanePaths } from '../cards/lane-paths'
import { Beginnings, MergePaths } from '../cards/merge-paths'
import { MessageCard } from '../cards/message-card'
import { PreviewCard } from '../cards/preview-card'
import { LabelLayer } from '../labels/label-layer'
import { NameBox } from '../labels/name-in-place'
import { fitView, wordsAt } from '../labels/words-at'
import { flowNodes } from '../model/flow'
import { metricsFor, type Size, zoomRangeOf } from '../model/geometry'
import { type GraphModel, itemAt, mergeLines } from '../model/graph-model'
import { zoomedStyle } from '../model/level'
import { itemNear, itemsIn } from '../model/view-window'
import { AuthorKey } from '../picture/map-key'
import { ActionToolbar } from './action-toolbar'
import { DrawingBars } from './drawing-bars'
import { refusedWith } from './graph-commands'
import { GraphControls } from './graph-controls'
import { GraphMenu } from './graph-menu'
import { quietFlow } from './quiet-flow'
import { type CanvasProps, useDrawing } from './use-drawing'
import { useHovered } from './use-hovered'
import { useStanding } from './use-standing'
import { useView } from './use-view'
import { useViewport } from './use-viewport'
import { ViewTools } from './view-tools'

const nodeTypes = { message: MessageCard, fold: FoldCard }

/** More items than this are not on the page at once: they are found by where they are. */
const itemsAtOnce = 120
/** Marks of more items than this are not drawn: they would be a line. */
const marksAtOnce = 4000
/** So far from a mark a click still means it, in px of the screen. */
const reach = 12
/** A pane of this width has room for the meanings of the signs, beside the tools of the view. */
const authorKeyFrom = 640
const noItems: readonly DrawnItem[] = []
/** A pane that changes by less keeps its map. */
const slight = 64

/** The measures of a map, which stay while the pane keeps its size: a message that is added scales nothing. */
function useMetrics({ map }: GraphModel, size: Size) {
  const touch = useMediaQuery('(hover: none)')
  const [made, setMade] = useState(() => ({ size, touch, metrics: metricsFor(map, size, touch) }))
  const changed = Math.max(Math.abs(made.size.width - size.width), Math.abs(made.size.height - size.height))
  if (changed < slight && made.touch === touch) return made.metrics
  const next = { size, touch, metrics: metricsFor(map, size, touch) }
  setMade(next)
  return next.metrics
}

/** Items in the order of the tree, each once, the wanted ones among them. */
function inTree(items: readonly DrawnItem[], wanted: readonly (ItemId | null)[], { drawn }: GraphModel) {
  const found = new Set(items)
  for (const id of wanted) {
    const item = id === null ? undefined : drawn.byId.get(id)
    if (item) found.add(item)
  }
  return [...found]
}

/** The drawing itself: React Flow with the items in view, the bars above it, and its events. */
export function GraphCanvas({ model, folding, size, asOf, selectedId, ...on }: CanvasProps) {
  const { visible, drawn, map } = model
  const store = useStoreApi()
  const metrics = useMetrics(model, size)
  const standing = useStanding(model, selectedId)
  const [opening] = useState(() => fitView(model, metrics, size))
  // all items of a small graph are on the page, for screen readers; a large one has the items in view
  const culls = visible.nodes.length > foldsBeyond
  const view = useView(opening, metrics)
  const words = wordsAt(model, view.zoom, metrics)
  const viewport = useViewport(model, selectedId, standing.tabId, metrics, words)
  // the compiler leaves this component alone: results that cost a look at every line are kept by hand
  const inView = useMemo(
    () => (culls ? itemsIn(map, view.range, marksAtOnce) : drawn.items),
    [culls, map, view.range, drawn.items],
  )
  const isCrowded = culls && (inView === null || inView.length > itemsAtOnce)
  const spoken = inView?.filter(({ id }) => words.said.has(id)) ?? []
  const items = culls
    ? inTree(isCrowded ? spoken : (inView ?? []), [standing.tabId, selectedId, model.headId], model)
    : drawn.items
  const zooms = zoomRangeOf(metrics)

  const itemUnder = (event: SyntheticEvent | Event): ItemId | null => {
    const { target } = event
    const card = target instanceof Element ? target.closest('[data-item]') : null
    if (card) return card.getAttribute('data-item')
    const at = 'nativeEvent' in event ? event.nativeEvent : event
    if (!isCrowded || !(at instanceof MouseEvent) || !(target instanceof Element)) return null
    // items that are not on the page are found by place: only the pane is under the pointer
    if (!target.classList.contains('react-flow__pane')) return null
    const { left, top } = target.getBoundingClientRect()
    const [x, y, zoom] = store.getState().transform
    const [column, row] = [metrics.step * zoom, metrics.row * zoom]
    const point = { x: (at.clientX - left - x) / column, y: (at.clientY - top - y) / row }
    return itemNear(map, point, { x: reach / column, y: reach / row })
  }
  const drawnUnder = (event: SyntheticEvent) => {
    const id = itemUnder(event)
    return id === null ? undefined : itemAt(model, id)
  }
  const { hovered, leave, handlers } = useHovered(itemUnder)

  const drawing = useDrawing({
    model,
    folding,
    standing,
    viewport,
    selectedId,
    asOf,
    on,
    itemUnder,
    pictured: model,
    isDrawn: (id) => drawn.byId.has(id),
  })
  const { find, commands } = drawing
  const onItem = (id: ItemId) => commands({ kind: 'item', id })

  const heard = {
    ...handlers,
    onClick(event: Clicked) {
      const item = drawnUnder(event)
      if (item?.kind === 'fold') onItem(item.id).unfold()
      else if (item) drawing.pick(item.id, event)
    },
    onDoubleClick(event: Clicked) {
      const item = drawnUnder(event)
      if (item?.kind === 'message') drawing.branchFrom(item.id)
    },
    onKeyDown(event: KeyboardEvent) {
      if (drawing.press(event, (id) => [keysOf(itemKeys, onItem(id), refusedWith(on, standing.say))])) leave()
    },
    onFocus(event: FocusEvent) {
      handlers.onFocus(event)
      drawing.onFocus(event)
    },
    onBlur() {
      handlers.onBlur()
      standing.letGo()
    },
  }

  const drawnAs = useMemo(() => (find.lit ? { ...model, lit: find.lit } : model), [find.lit, model])
  const merges = useMemo(() => mergeLines(drawnAs, drawn.items), [drawnAs, drawn.items])
  const shown = hovered === null ? undefined : itemAt(model, hovered)
  const shownBox = viewport.boxOf(hovered)
  const selected = selectedId === null ? undefined : visible.byId.get(selectedId)
  const selectedBox = viewport.boxOf(selectedId)
  return (
    <GraphMenu model={model} commands={commands} targetOf={drawing.targetOf} onClosed={drawing.onMenuClosed}>
      <div
        ref={standing.frame}
        className="group/graph h-full [container-type:size]"
        style={zoomedStyle(view.zoom)}
        {...heard}
      >
        <ReactFlow
          {...quietFlow}
          nodes={flowNodes(
            items,
            drawnAs,
            { selectedId: find.currentId ?? selectedId, tabId: standing.tabId, marked: standing.marked },
            words,
            metrics,
          )}
          nodeTypes={nodeTypes}
          {...size}
          defaultViewport={opening}
          minZoom={zooms.min}
          maxZoom={zooms.max}
          // moves made by code come without an event
          onMoveStart={(event, from) => {
            if (event) leave()
            viewport.onMoveStart(event, from)
          }}
          onMoveEnd={viewport.onMoveEnd}
          panOnScroll
          // the only link to another site is React Flow's attribution
          className="[--xy-attribution-background-color:transparent] [&_a[target]]:text-faint!"
        >
          <ViewportPortal>
            <LanePaths
              model={drawnAs}
              metrics={metrics}
              level={view.level}
              zoom={view.zoom}
              items={inView ?? noItems}
            />
            <MergePaths lines={merges} metrics={metrics} zoom={view.zoom} />
            {view.level !== 'far' && (
              <Beginnings titles={words.allTitles} metrics={metrics} zoom={view.zoom} />
            )}
          </ViewportPortal>
          <LabelLayer
            model={model}
            words={words}
            view={view}
            metrics={metrics}
            culls={culls}
            tabId={standing.tabId}
            on={on}
          />
          {size.width >= authorKeyFrom && <AuthorKey className="right-18 bottom-0 h-5 bg-canvas" />}
          <DrawingBars drawing={drawing} model={model} standing={standing} on={on} />
          {find.words === null && selected && selectedBox && (
            <ActionToolbar
              node={selected.node}
              box={selectedBox}
              labelled={viewport.withLabels(selectedId) ?? selectedBox}
              on={onItem(selected.node.id)}
              onLeave={() => standing.focusOn(selected.node.id)}
              onClose={on.onDeselect}
            />
          )}
          <GraphControls on={drawing.pane} range={zooms} onZoom={viewport.zoomTo}>
            <ViewTools drawing={drawing} model={model} on={on} />
          </GraphControls>
          {standing.naming && (
            <NameBox
              naming={standing.naming}
              model={model}
              boxOf={viewport.boxOf}
              on={on}
              onNamed={() => standing.setNaming(null)}
            />
          )}
          {shown && shownBox && <PreviewCard item={shown} box={shownBox} />}
        </ReactFlow>
        <p role="status" className="sr-only">
          {standing.said}
        </p>
      </div>
    </GraphMenu>
  )
}
