'use client'

import { ReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react'
import { useRouter } from 'next/navigation'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { toast } from 'sonner'
import { keysOf } from '@/components/actions/action'
import { findInGraph, itemKeys } from '@/components/actions/on-graph'
import { keyName } from '@/components/app/use-keys'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId, MessageId } from '@/lib/events'
import { foldsBeyond, type ItemId } from '@/lib/graph'
import { FoldCard } from '../cards/fold-card'
import { LanePaths } from '../cards/lane-paths'
import { MessageCard } from '../cards/message-card'
import { PreviewCard } from '../cards/preview-card'
import { LabelLayer } from '../labels/label-layer'
import { NameBox } from '../labels/name-in-place'
import { labelsAt, openingOf } from '../labels/opening'
import { flowNodes } from '../model/flow'
import { coarsePointer, finePointer, type Size, zoomRange } from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'
import type { ConversationGraphProps, GraphActions } from '../model/graph-props'
import { levelMarks, zoomedStyle } from '../model/level'
import type { Folding } from '../model/use-graph-model'
import { Cells, everything, nothing } from '../model/view-window'
import type { PictureKind } from '../picture/save-picture'
import { ActionToolbar } from './action-toolbar'
import { BranchList } from './branch-list'
import { CompareBar } from './compare-bar'
import { FarCanvas } from './far-canvas'
import { FindBar } from './find-bar'
import { type GraphTarget, graphCommands } from './graph-commands'
import { GraphControls } from './graph-controls'
import { GraphMenu } from './graph-menu'
import { useFind } from './use-find'
import { useGraphPalette } from './use-graph-palette'
import { useHovered } from './use-hovered'
import { useStanding } from './use-standing'
import { useView } from './use-view'
import { useViewport } from './use-viewport'

const nodeTypes = { message: MessageCard, fold: FoldCard }

interface GraphCanvasProps extends GraphActions, Pick<ConversationGraphProps, 'selectedId'> {
  model: GraphModel
  folding: Folding
  /** the size of the pane when the drawing opens */
  size: Size
  /** the time it shows, in milliseconds since 1970; null for now */
  asOf: number | null
  /** more controls */
  children?: ReactNode
}

/** The drawing itself: React Flow with the items in view, the bars above it, and its events. */
export function GraphCanvas({ model, folding, size, asOf, selectedId, children, ...on }: GraphCanvasProps) {
  const { visible, drawn, placement } = model
  const router = useRouter()
  const store = useStoreApi()
  const metrics = useMediaQuery('(hover: none)') ? coarsePointer : finePointer
  const standing = useStanding(model, selectedId)
  const find = useFind(visible, on.findText, (id) => showHit(id))
  const stepTo = useRef<MessageId | null>(null)
  const cameFrom = useRef<BranchId>(undefined)
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

  // a hit in a fold is shown once it is unfolded
  useEffect(() => {
    const id = stepTo.current
    if (id === null || itemAt(model, id)?.kind !== 'message') return
    stepTo.current = null
    viewport.show(id)
  })
  const showHit = (id: MessageId | null) => {
    const item = id === null ? undefined : itemAt(model, id)
    stepTo.current = item?.kind === 'fold' ? id : null
    if (item?.kind === 'fold') folding.unfold(item.nodes.map((node) => node.id))
    else if (item) viewport.show(item.id)
  }
  const step = (by: 1 | -1) => showHit(find.step(by))
  const endFind = () => {
    const id = find.currentId ?? standing.tabId
    find.close()
    if (id !== null) standing.focusOn(id)
  }
  // loaded when it is asked for, which is seldom
  const save = (kind: PictureKind) => {
    import('../picture/save-picture')
      .then(({ savePicture }) => savePicture(kind, model, finePointer, asOf))
      .catch(() => toast.error('The picture could not be drawn. Try the other kind, or try again.'))
  }
  const commands = graphCommands({
    ...{ model, folding, standing, viewport, selectedId, on, save },
    find: find.open,
    goTo: (url) => router.push(url),
  })
  const onItem = (id: ItemId) => commands({ kind: 'item', id })
  useGraphPalette(model, commands, selectedId ?? standing.tabId, on.onReveal)
  const pane = commands({ kind: 'pane' })

  const onClick = (event: Clicked) => {
    const item = drawnUnder(event)
    if (!item) return
    if (item.kind === 'fold') return onItem(item.id).unfold()
    // the first click of two may lead to another branch; both together are one move
    if (event.detail < 2) cameFrom.current = model.branchId
    // the item takes the focus, not the button in it, which has no keys and no place in the tree
    standing.focusOn(item.id)
    if (event.shiftKey && on.compareUrl) standing.toggleMark(item.id)
    else on.onSelect(item.id)
  }
  const onDoubleClick = (event: Clicked) => {
    const item = drawnUnder(event)
    if (item?.kind === 'message' && !onItem(item.id).isWriting) on.onBranchFrom(item.id, cameFrom.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    const id = target instanceof Element && target.closest('[role="treeitem"]') ? itemUnder(event) : null
    const keys = id === null ? {} : keysOf(itemKeys, onItem(id), standing.say)
    if (!(target instanceof HTMLInputElement)) Object.assign(keys, keysOf([findInGraph], pane))
    const press = keys[keyName(event)]
    if (!press || press(event.nativeEvent) === false) return
    leave()
    // neither the page's keys nor the button in the item handle it again
    event.preventDefault()
    event.stopPropagation()
  }
  const onMenuClosed = (target: GraphTarget) => {
    if (standing.naming) return
    // a stretch that was unfolded gave the focus to its first message
    if (target.kind === 'item' && model.drawn.byId.has(target.id)) standing.focusOn(target.id)
    if (target.kind !== 'branch' && target.kind !== 'checkpoint') return
    const [name, value] =
      target.kind === 'branch' ? ['data-branch', target.id] : ['data-checkpoint', target.name]
    const label = standing.frame.current?.querySelector<HTMLElement>(`[${name}="${CSS.escape(value)}"]`)
    if (label) label.focus({ preventScroll: true })
    else if (standing.tabId !== null) standing.focusOn(standing.tabId)
  }
  const targetOf = (event: Event): GraphTarget => {
    const { target } = event
    const label =
      target instanceof Element ? target.closest<HTMLElement>('[data-branch], [data-checkpoint]') : null
    const { branch, checkpoint } = label?.dataset ?? {}
    if (branch !== undefined) return { kind: 'branch', id: branch }
    if (checkpoint !== undefined) return { kind: 'checkpoint', name: checkpoint }
    const id = itemUnder(event)
    return id === null ? { kind: 'pane' } : { kind: 'item', id }
  }
  const heard = {
    ...handlers,
    onClick,
    onDoubleClick,
    onKeyDown,
    onFocus: (event: FocusEvent) => {
      handlers.onFocus(event)
      standing.hold(event.target)
      if (event.target.getAttribute('role') === 'treeitem') standing.setStoodOn(itemUnder(event))
    },
    onBlur: () => {
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
    <GraphMenu model={model} commands={commands} targetOf={targetOf} onClosed={onMenuClosed}>
      <div
        ref={standing.frame}
        className="group/graph h-full [container-type:size]"
        style={zoomedStyle(view.level, view.zoom, metrics)}
        {...levelMarks(view.level)}
        {...heard}
      >
        <ReactFlow
          ref={asTree}
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
          zoomOnDoubleClick={false}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
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
          </ViewportPortal>
          <LabelLayer
            model={model}
            labels={labels}
            view={view}
            culls={culls}
            tabId={standing.tabId}
            on={on}
          />
          {find.words !== null && <FindBar find={find} onStep={step} onClose={endFind} />}
          {find.words === null && standing.marked.length > 0 && on.compareUrl && (
            <CompareBar
              model={model}
              marked={standing.marked}
              compareUrl={on.compareUrl}
              onClear={standing.clearMarks}
            />
          )}
          {find.words === null && selected && selectedBox && (
            <ActionToolbar
              key={selected.node.id}
              node={selected.node}
              box={selectedBox}
              labelled={viewport.withLabels(selectedId) ?? selectedBox}
              on={onItem(selected.node.id)}
              onLeave={() => standing.focusOn(selected.node.id)}
              onClose={on.onDeselect}
            />
          )}
          <GraphControls on={pane} onZoom={viewport.zoomTo}>
            {children}
            {!model.past && <BranchList model={model} commands={commands} on={on} />}
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

/**
 * React Flow calls itself an application and has no word for the box around its nodes. That box is our tree: it holds
 * the tree items and nothing else. React sets neither attribute again, since neither prop ever changes.
 */
export function asTree(flow: HTMLDivElement | null): void {
  flow?.removeAttribute('role')
  const nodes = flow?.querySelector('.react-flow__nodes')
  nodes?.setAttribute('role', 'tree')
  nodes?.setAttribute('aria-label', 'Messages')
  nodes?.setAttribute('aria-multiselectable', 'true')
}
