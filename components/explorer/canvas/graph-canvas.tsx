'use client'

import { ReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useState,
} from 'react'
import { keysOf } from '@/components/actions/action'
import { itemKeys } from '@/components/actions/on-graph'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { foldsBeyond, type ItemId } from '@/lib/graph'
import { FoldCard } from '../cards/fold-card'
import { LanePaths } from '../cards/lane-paths'
import { MergePaths } from '../cards/merge-paths'
import { MessageCard } from '../cards/message-card'
import { PreviewCard } from '../cards/preview-card'
import { LabelLayer } from '../labels/label-layer'
import { NameBox } from '../labels/name-in-place'
import { labelsAt, openingOf } from '../labels/opening'
import { flowNodes } from '../model/flow'
import { coarsePointer, finePointer, zoomRange } from '../model/geometry'
import { itemAt, mergeLines } from '../model/graph-model'
import { levelMarks, zoomedStyle } from '../model/level'
import { Cells, everything, nothing } from '../model/view-window'
import { ActionToolbar } from './action-toolbar'
import { DrawingBars } from './drawing-bars'
import { FarCanvas } from './far-canvas'
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

/** The drawing itself: React Flow with the items in view, the bars above it, and its events. */
export function GraphCanvas({ model, folding, size, asOf, selectedId, ...on }: CanvasProps) {
  const { visible, drawn, placement } = model
  const store = useStoreApi()
  const metrics = useMediaQuery('(hover: none)') ? coarsePointer : finePointer
  const standing = useStanding(model, selectedId)
  const [opening] = useState(() => openingOf(model, metrics, size))
  // all items of a small graph are on the page, for screen readers; of a large one those in view
  const culls = visible.nodes.length > foldsBeyond
  const view = useView(opening, metrics, culls)
  const labels = labelsAt(model, view.level, view.zoom, metrics)
  const viewport = useViewport(model, selectedId, standing.tabId, metrics, labels)
  const paints = culls && view.level === 'far'
  const cells = new Cells(drawn, placement)
  const kept = new Set([standing.tabId, selectedId].filter((id) => id !== null))
  const items = culls ? cells.inRange(paints ? nothing : view.range, kept) : drawn.items
  const lines = paints ? [] : culls ? cells.linesInRange(view.range) : cells.linesInRange(everything)

  const itemUnder = (event: SyntheticEvent | Event): ItemId | null => {
    const { target } = event
    const card = target instanceof Element ? target.closest('[data-item]') : null
    if (card) return card.getAttribute('data-item')
    const at = 'nativeEvent' in event ? event.nativeEvent : event
    if (!paints || !(at instanceof MouseEvent) || !(target instanceof Element)) return null
    // items on a canvas are found by place: only the pane is under the pointer
    if (!target.classList.contains('react-flow__pane')) return null
    const { left, top } = target.getBoundingClientRect()
    const [x, y, zoom] = store.getState().transform
    const column = Math.floor((at.clientX - left - x) / zoom / metrics.columnStep)
    const row = Math.floor((at.clientY - top - y) / zoom / metrics.rowStep)
    return cells.near({ column, row })?.id ?? null
  }
  const drawnUnder = (event: SyntheticEvent) => {
    const id = itemUnder(event)
    return id === null ? undefined : itemAt(model, id)
  }
  const { hovered, leave, handlers } = useHovered(itemUnder)

  const drawing = useDrawing({
    ...{ model, folding, standing, viewport, selectedId, asOf, on, itemUnder },
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

  const drawnAs = find.lit ? { ...model, lit: find.lit } : model
  const shown = hovered === null ? undefined : itemAt(model, hovered)
  const shownBox = viewport.boxOf(hovered)
  const selected = selectedId === null ? undefined : visible.byId.get(selectedId)
  const selectedBox = viewport.boxOf(selectedId)
  return (
    <GraphMenu model={model} commands={commands} targetOf={drawing.targetOf} onClosed={drawing.onMenuClosed}>
      <div
        ref={standing.frame}
        className="group/graph h-full [container-type:size]"
        style={zoomedStyle(view.level, view.zoom, metrics)}
        {...levelMarks(view.level)}
        {...heard}
      >
        <ReactFlow
          {...quietFlow}
          nodes={flowNodes(
            items,
            drawnAs,
            { selectedId: find.currentId ?? selectedId, tabId: standing.tabId, marked: standing.marked },
            labels,
            metrics,
          )}
          nodeTypes={nodeTypes}
          {...size}
          defaultViewport={opening}
          minZoom={zoomRange.min}
          maxZoom={zoomRange.max}
          // moves made by code come without an event
          onMoveStart={(event) => event && leave()}
          onMoveEnd={viewport.onMoveEnd}
          panOnScroll
          // the only link to another site is React Flow's attribution
          className="[--xy-attribution-background-color:transparent] [&_a[target]]:text-faint!"
        >
          {paints && (
            <FarCanvas
              cells={cells}
              model={drawnAs}
              view={view}
              selectedId={find.currentId ?? selectedId}
              metrics={metrics}
            />
          )}
          <ViewportPortal>
            <LanePaths lines={lines} model={drawnAs} metrics={metrics} />
            <MergePaths lines={mergeLines(drawnAs, items)} metrics={metrics} />
          </ViewportPortal>
          <LabelLayer
            model={model}
            labels={labels}
            view={view}
            culls={culls}
            tabId={standing.tabId}
            on={on}
          />
          <DrawingBars {...{ drawing, model, standing, on }} />
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
          <GraphControls on={drawing.pane} onZoom={viewport.zoomTo}>
            <ViewTools {...{ drawing, model, on }} />
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
