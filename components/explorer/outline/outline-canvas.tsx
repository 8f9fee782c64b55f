'use client'

import { ReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useRouter } from 'next/navigation'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import { toast } from 'sonner'
import { keysOf } from '@/components/actions/action'
import { branchRowKeys, findInGraph, itemKeys, rowKeys } from '@/components/actions/on-graph'
import { keyName } from '@/components/app/use-keys'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { BranchId, MessageId } from '@/lib/events'
import { foldsBeyond, type GraphIndex, type RowId } from '@/lib/graph'
import { ActionToolbar } from '../canvas/action-toolbar'
import { BranchList } from '../canvas/branch-list'
import { CompareBar } from '../canvas/compare-bar'
import { FindBar } from '../canvas/find-bar'
import { asTree } from '../canvas/graph-canvas'
import { type GraphTarget, graphCommands } from '../canvas/graph-commands'
import { GraphMenu } from '../canvas/graph-menu'
import { useFind } from '../canvas/use-find'
import { useGraphPalette } from '../canvas/use-graph-palette'
import { useStanding } from '../canvas/use-standing'
import { finePointer, type Size, toolbarFloatsFrom } from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'
import type { ConversationGraphProps, GraphActions } from '../model/graph-props'
import type { Folding } from '../model/use-graph-model'
import type { PictureKind } from '../picture/save-picture'
import { Writing } from './live-words'
import { OutlineRow } from './outline-row'
import { OutlineTools } from './outline-tools'
import { RowLabels } from './row-labels'
import { bottomRoom, type RowFlowNode, rowHeights, rowLook, rowNodes } from './row-model'
import { rowWay } from './row-ways'
import { useOutline } from './use-outline'
import { useRowScroll } from './use-row-scroll'

const nodeTypes = { row: OutlineRow }

interface OutlineCanvasProps extends GraphActions, Pick<ConversationGraphProps, 'selectedId' | 'writing'> {
  model: GraphModel
  /** the graph as it is now, which decides the order of the rows at every time */
  now: GraphIndex
  folding: Folding
  /** the size of the pane when the outline opens */
  size: Size
  /** the time it shows, in milliseconds since 1970; null for now */
  asOf: number | null
  /** the place of its tools in the bar above */
  tools: HTMLElement | null
  /** more tools */
  children?: ReactNode
}

/** The outline: React Flow at its own size, with the rows in view, in a pane that scrolls; and its events. */
export function OutlineCanvas(props: OutlineCanvasProps) {
  const { model: base, now, folding, size, asOf, selectedId, writing = [], tools, children, ...on } = props
  const router = useRouter()
  const store = useStoreApi()
  const rowHeight = useMediaQuery('(hover: none)') ? rowHeights.coarse : rowHeights.fine
  const outline = useOutline(base, now)
  const { model, rows, places } = outline
  const { visible } = model
  const culls = visible.nodes.length > foldsBeyond
  const standing = useStanding(model, selectedId, outline.rowOf)
  const scroll = useRowScroll({
    ...{ outline, rowHeight, selectedId, culls, tabId: standing.tabId },
    chatId: model.index.graph.chatId,
    height: size.height,
  })
  const find = useFind(visible, on.findText, (id) => reveal(id))
  const stepTo = useRef<MessageId | null>(null)
  const cameFrom = useRef<BranchId>(undefined)
  const paneWidth = useStore((state) => state.width)

  // a hit in a closed branch or a fold is shown once it is open
  useEffect(() => {
    const id = stepTo.current
    if (id === null || !places.has(id)) return
    stepTo.current = null
    scroll.show(id)
  })
  const reveal = (id: MessageId) => {
    const item = itemAt(model, id)
    stepTo.current = id
    if (item?.kind === 'fold') folding.unfold(item.nodes.map((node) => node.id))
    outline.reveal(id)
  }
  const step = (by: 1 | -1) => {
    const id = find.step(by)
    if (id !== null) reveal(id)
  }
  const endFind = () => {
    const id = find.currentId ?? standing.tabId
    find.close()
    if (id !== null) standing.focusOn(id)
  }
  const save = (kind: PictureKind) => {
    import('../picture/save-picture')
      .then(({ savePicture }) => savePicture(kind, base, finePointer, asOf))
      .catch(() => toast.error('The picture could not be drawn. Try the other kind, or try again.'))
  }
  const commands = graphCommands({
    ...{ model, folding, standing, selectedId, on, save, viewport: scroll },
    find: find.open,
    goTo: (url) => router.push(url),
  })
  useGraphPalette(model, commands, selectedId ?? standing.tabId, on.onReveal)
  const pane = commands({ kind: 'pane' })
  const targetOfRow = (id: RowId): GraphTarget => {
    const row = outline.rowAt(id)
    return row?.kind === 'branch' && row.branch ? { kind: 'branch', id: row.branch.id } : { kind: 'item', id }
  }
  const onRow = (id: RowId) => {
    const row = outline.rowAt(id)
    const opens = row && 'opens' in row && row.opens.length > 0 ? row : undefined
    return {
      isOpen: opens ? opens.isOpen : null,
      setOpen(isOpen: boolean) {
        if (!opens) return
        scroll.keepInPlace(id)
        standing.focusOn(id)
        outline.setOpen(opens.opens, isOpen)
      },
      hasRow: (way: Parameters<typeof rowWay>[2]) => rowWay(rows, places, way, id) !== null,
      goToRow(way: Parameters<typeof rowWay>[2]) {
        const to = rowWay(rows, places, way, id)
        if (to === null) return
        standing.focusOn(to)
        scroll.show(to)
      },
    }
  }

  const rowUnder = ({ target }: SyntheticEvent | Event): RowId | null => {
    const row = target instanceof Element ? target.closest('[data-item]') : null
    return row?.getAttribute('data-item') ?? null
  }
  const onClick = (event: Clicked) => {
    const id = rowUnder(event)
    const row = id === null ? undefined : outline.rowAt(id)
    if (!row) return
    if (row.kind === 'fold') return commands(targetOfRow(row.id)).unfold()
    if (row.kind === 'message') {
      // the first click of two may lead to another branch; both together are one move
      if (event.detail < 2) cameFrom.current = model.branchId
      standing.focusOn(row.id)
      if (event.shiftKey && on.compareUrl) standing.toggleMark(row.id)
      else on.onSelect(row.id)
      return
    }
    standing.focusOn(row.id)
    onRow(row.id).setOpen(!row.isOpen)
  }
  const onDoubleClick = (event: Clicked) => {
    const id = rowUnder(event)
    const row = id === null ? undefined : outline.rowAt(id)
    if (row?.kind === 'message' && !commands(targetOfRow(row.id)).isWriting)
      on.onBranchFrom(row.id, cameFrom.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    const id = target instanceof Element && target.closest('[role="treeitem"]') ? rowUnder(event) : null
    const at = id === null ? undefined : targetOfRow(id)
    const name = keyName(event)
    const presses =
      target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
        ? []
        : [
            ...(id !== null && at
              ? [
                  keysOf(rowKeys, onRow(id), standing.say),
                  keysOf(at.kind === 'branch' ? branchRowKeys : itemKeys, commands(at), standing.say),
                ]
              : []),
            keysOf([findInGraph], pane),
          ]
    const done = presses.some((keys) => {
      const press = keys[name]
      return press !== undefined && press(event.nativeEvent) !== false
    })
    if (!done) return
    // neither the page's keys nor the button in the row handle it again
    event.preventDefault()
    event.stopPropagation()
  }
  const targetOf = (event: Event): GraphTarget => {
    const { target } = event
    const label =
      target instanceof Element ? target.closest<HTMLElement>('[data-branch], [data-checkpoint]') : null
    const { branch, checkpoint } = label?.dataset ?? {}
    if (branch !== undefined) return { kind: 'branch', id: branch }
    if (checkpoint !== undefined) return { kind: 'checkpoint', name: checkpoint }
    const id = rowUnder(event)
    return id === null ? { kind: 'pane' } : { kind: 'item', id }
  }
  const onMenuClosed = (target: GraphTarget) => {
    if (standing.naming) return
    if (target.kind === 'item' && places.has(target.id)) standing.focusOn(target.id)
    if (target.kind !== 'branch' && target.kind !== 'checkpoint') return
    const [name, value] =
      target.kind === 'branch' ? ['data-branch', target.id] : ['data-checkpoint', target.name]
    const label = standing.frame.current?.querySelector<HTMLElement>(`[${name}="${CSS.escape(value)}"]`)
    if (label) label.focus({ preventScroll: true })
    else if (standing.tabId !== null) standing.focusOn(standing.tabId)
  }

  const heard = {
    ...{ onClick, onDoubleClick, onKeyDown },
    onFocus: (event: FocusEvent) => {
      standing.hold(event.target)
      if (event.target.getAttribute('role') === 'treeitem') standing.setStoodOn(rowUnder(event))
    },
    onBlur: standing.letGo,
  }

  const first = culls ? Math.max(0, scroll.range.first) : 0
  const inView = rows.slice(first, culls ? scroll.range.last + 1 : undefined)
  const numbers = new Set(inView.map((_, at) => first + at))
  for (const id of [standing.tabId, selectedId]) {
    const at = id === null ? undefined : places.get(id)
    if (at !== undefined) numbers.add(at)
  }
  const looked = {
    tabId: standing.tabId,
    selectedId: find.currentId ?? selectedId,
    marked: standing.marked,
    found: find.lit,
  }
  const looks = [...numbers]
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const row = rows[at]
      return row ? [{ at, look: rowLook(row, model, looked, rowHeight) }] : []
    })
  const known = useRef(new Map<RowId, RowFlowNode>())
  // at once, not with React Flow's next effect: the pane is scrolled to the rows in the same frame
  useLayoutEffect(() => store.getState().setNodes(rowNodes(looks, known.current)))

  const selected = selectedId === null ? undefined : visible.byId.get(selectedId)
  const selectedAt = selectedId === null ? undefined : places.get(selectedId)
  const toolbar = find.words === null && selected && selectedAt !== undefined && (
    <ActionToolbar
      key={selected.node.id}
      node={selected.node}
      // at the right end: the beginning of the row above says more than its end
      box={{ x: paneWidth - 1, y: selectedAt * rowHeight, width: paneWidth, height: rowHeight }}
      labelled={{ x: 0, y: selectedAt * rowHeight, width: paneWidth, height: rowHeight }}
      on={commands({ kind: 'item', id: selected.node.id })}
      onLeave={() => standing.focusOn(selected.node.id)}
      onClose={on.onDeselect}
    />
  )
  const floats = paneWidth >= toolbarFloatsFrom
  return (
    <Writing value={writing}>
      {tools &&
        createPortal(
          <OutlineTools on={pane}>
            {children}
            {!model.past && <BranchList model={model} commands={commands} on={on} />}
          </OutlineTools>,
          tools,
        )}
      <GraphMenu model={model} commands={commands} targetOf={targetOf} onClosed={onMenuClosed}>
        <div ref={standing.frame} className="relative h-full" {...heard}>
          <div
            ref={scroll.scroller}
            onScroll={scroll.onScroll}
            onWheel={scroll.onHand}
            onTouchMove={scroll.onHand}
            className="h-full overflow-y-auto overflow-x-hidden overscroll-contain [overflow-anchor:none]"
          >
            <div
              className="relative min-h-full"
              style={{
                height: rows.length * rowHeight + (floats || !toolbar ? bottomRoom : bottomRoom + 160),
              }}
            >
              <ReactFlow
                ref={asTree}
                defaultNodes={[]}
                nodeTypes={nodeTypes}
                {...size}
                minZoom={1}
                maxZoom={1}
                panOnDrag={false}
                zoomOnScroll={false}
                zoomOnPinch={false}
                zoomOnDoubleClick={false}
                preventScrolling={false}
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
                className="[--xy-attribution-background-color:transparent] [&_.react-flow\_\_pane]:cursor-default! [&_.react-flow\_\_pane]:touch-pan-y! [&_a[target]]:text-faint!"
              />
              <RowLabels
                {...{ model, looks, on }}
                tabId={standing.tabId}
                naming={standing.naming}
                onNamed={() => standing.setNaming(null)}
              />
              {floats && toolbar}
            </div>
          </div>
          {!floats && toolbar}
          {find.words !== null && <FindBar find={find} onStep={step} onClose={endFind} />}
          {find.words === null && standing.marked.length > 0 && on.compareUrl && (
            <CompareBar
              model={model}
              marked={standing.marked}
              compareUrl={on.compareUrl}
              onClear={standing.clearMarks}
            />
          )}
          <p role="status" className="sr-only">
            {standing.said}
          </p>
        </div>
      </GraphMenu>
    </Writing>
  )
}
