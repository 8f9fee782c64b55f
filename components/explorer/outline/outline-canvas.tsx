'use client'

import { ReactFlow, useStore, useStoreApi } from '@xyflow/react'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { keysOf } from '@/components/actions/action'
import { branchRowKeys, itemKeys, rowKeys } from '@/components/actions/on-graph'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { foldsBeyond, type GraphIndex, type OutlineRow as Row, type RowId } from '@/lib/graph'
import { ActionToolbar } from '../canvas/action-toolbar'
import { DrawingBars } from '../canvas/drawing-bars'
import { type GraphTarget, refusedWith } from '../canvas/graph-commands'
import { GraphMenu } from '../canvas/graph-menu'
import { quietFlow } from '../canvas/quiet-flow'
import { type CanvasProps, useDrawing } from '../canvas/use-drawing'
import { useHovered } from '../canvas/use-hovered'
import { useStanding } from '../canvas/use-standing'
import { ViewTools } from '../canvas/view-tools'
import { toolbarFloatsFrom } from '../model/geometry'
import type { ConversationGraphProps } from '../model/graph-props'
import { AuthorKey } from '../picture/map-key'
import { Writing } from './live-words'
import { OutlineRow } from './outline-row'
import { RowAbout, RowCard } from './row-card'
import { RowLabels } from './row-labels'
import { bottomRoom, dayOf, type RowFlowNode, roomFor, rowHeights, rowLook, rowNodes } from './row-model'
import { rowWay } from './row-ways'
import { useOutline } from './use-outline'
import { useRowDrag } from './use-row-drag'
import { useRowScroll } from './use-row-scroll'

const nodeTypes = { row: OutlineRow }

interface OutlineCanvasProps extends CanvasProps, Pick<ConversationGraphProps, 'writing'> {
  /** the graph as it is now, which decides the order of the rows at every time */
  now: GraphIndex
  /** the place of its tools in the bar above */
  tools: HTMLElement | null
}

/** The outline: React Flow at its own size, with the rows in view, in a pane that scrolls; and its events. */
export function OutlineCanvas(props: OutlineCanvasProps) {
  const { model: base, now, folding, size, asOf, selectedId, writing = [], tools, ...on } = props
  const store = useStoreApi()
  const rowHeight = useMediaQuery('(hover: none)') ? rowHeights.coarse : rowHeights.fine
  const outline = useOutline(base, now, roomFor(size.height, rowHeight))
  const { model, rows, places } = outline
  const { visible } = model
  const culls = visible.nodes.length > foldsBeyond
  const standing = useStanding(model, selectedId, outline.rowOf)
  const scroll = useRowScroll({
    outline,
    rowHeight,
    selectedId,
    culls,
    tabId: standing.tabId,
    chatId: model.index.graph.chatId,
    height: size.height,
  })
  const paneWidth = useStore((state) => state.width)

  const rowUnder = ({ target }: SyntheticEvent | Event): RowId | null => {
    const row = target instanceof Element ? target.closest('[data-item]') : null
    return row?.getAttribute('data-item') ?? null
  }
  const drawing = useDrawing({
    model,
    folding,
    standing,
    selectedId,
    asOf,
    on,
    viewport: scroll,
    itemUnder: rowUnder,
    // archived branches are left out of a picture
    pictured: base,
    isDrawn: (id) => places.has(id),
    open: outline.reveal,
  })
  const { find, commands } = drawing
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

  const rowOn = (event: SyntheticEvent) => {
    const id = rowUnder(event)
    return id === null ? undefined : outline.rowAt(id)
  }
  const hovering = useHovered(rowUnder)
  const hovered = hovering.hovered === null ? undefined : outline.rowAt(hovering.hovered)
  const rowOfTarget = (target: GraphTarget): Row | undefined => {
    if (target.kind === 'branch')
      return rows.find((row) => row.kind === 'branch' && row.branch?.id === target.id)
    return target.kind === 'item' ? outline.rowAt(target.id) : undefined
  }
  const drag = useRowDrag({
    model,
    rows,
    rowHeight,
    rowOn,
    marked: standing.marked,
    scroller: scroll.scroller,
    merging: on.merging,
  })
  const heard = {
    onClick(event: Clicked) {
      const row = rowOn(event)
      if (!row) return
      if (row.kind === 'fold') return commands(targetOfRow(row.id)).unfold()
      if (row.kind === 'message') return drawing.pick(row.id, event)
      standing.focusOn(row.id)
      onRow(row.id).setOpen(!row.isOpen)
    },
    onDoubleClick(event: Clicked) {
      const row = rowOn(event)
      if (row?.kind === 'message') drawing.branchFrom(row.id)
    },
    onKeyDown(event: KeyboardEvent) {
      drawing.press(event, (id) => {
        const at = targetOfRow(id)
        const say = refusedWith(on, standing.say)
        return [
          keysOf(rowKeys, onRow(id), say),
          keysOf(at.kind === 'branch' ? branchRowKeys : itemKeys, commands(at), say),
        ]
      })
    },
    onFocus(event: FocusEvent) {
      drawing.onFocus(event)
      hovering.handlers.onFocus(event)
    },
    onBlur() {
      standing.letGo()
      hovering.handlers.onBlur()
    },
    onPointerMove: hovering.handlers.onPointerMove,
    onPointerDown: hovering.handlers.onPointerDown,
    onPointerLeave: hovering.handlers.onPointerLeave,
    ...drag,
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
  const today = new Date()
  const looks = [...numbers]
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const row = rows[at]
      return row ? [{ at, look: rowLook(row, model, looked, rowHeight, dayOf(rows, at, today)) }] : []
    })
  const [opening] = useState(() => {
    const nodes = rowNodes(looks, new Map())
    // with the first render, which the browser interrupts: nodes that an effect sets are drawn in one go
    store.getState().setNodes(nodes)
    return nodes
  })
  const known = useRef(new Map<RowId, RowFlowNode>(opening.map((node) => [node.id, node])))
  // at once, not with React Flow's next effect: the pane is scrolled to the rows in the same frame
  useLayoutEffect(() => {
    const { nodes: before, setNodes } = store.getState()
    const nodes = rowNodes(looks, known.current)
    const isSame = nodes.length === before.length && nodes.every((node, at) => node === before[at])
    // the same ones again would have all of the flow drawn again
    if (!isSame) setNodes(nodes)
  })

  const selected = selectedId === null ? undefined : visible.byId.get(selectedId)
  const selectedAt = selectedId === null ? undefined : places.get(selectedId)
  const toolbar = find.words === null && selected && selectedAt !== undefined && (
    <ActionToolbar
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
          <fieldset aria-label="Graph view" className="flex items-center">
            <ViewTools drawing={drawing} model={model} on={on} align="end" />
          </fieldset>,
          tools,
        )}
      <GraphMenu
        model={model}
        commands={commands}
        targetOf={drawing.targetOf}
        onClosed={drawing.onMenuClosed}
        about={(target) => {
          const row = rowOfTarget(target)
          return row && <RowAbout row={row} index={model.index} />
        }}
      >
        <div ref={standing.frame} className="relative h-full" {...heard}>
          <div
            ref={scroll.scroller}
            onScroll={() => {
              hovering.leave()
              scroll.onScroll()
            }}
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
                {...quietFlow}
                defaultNodes={opening}
                nodeTypes={nodeTypes}
                {...size}
                minZoom={1}
                maxZoom={1}
                panOnDrag={false}
                zoomOnScroll={false}
                zoomOnPinch={false}
                preventScrolling={false}
                // the only link to another site is React Flow's attribution
                className="[--xy-attribution-background-color:transparent] [&_.react-flow\_\_pane]:cursor-default! [&_.react-flow\_\_pane]:touch-pan-y! [&_a[target]]:text-faint!"
              />
              <RowLabels
                model={model}
                looks={looks}
                on={on}
                onSwitch={(row, branch) => {
                  hovering.leave()
                  scroll.keepOnSwitch(row, branch)
                  standing.focusOn(row)
                  on.switchTo(branch)
                }}
                tabId={standing.tabId}
                naming={standing.naming}
                onNamed={() => standing.setNaming(null)}
              />
              {/* in the room below the last row */}
              <AuthorKey className="bottom-0 left-[7px] h-10" />
              {hovered && hovered.kind !== 'more' && selectedAt === undefined && (
                <RowCard
                  row={hovered}
                  index={model.index}
                  y={(places.get(hovered.id) ?? 0) * rowHeight}
                  height={rowHeight}
                />
              )}
              {floats && toolbar}
            </div>
          </div>
          {!floats && toolbar}
          <DrawingBars drawing={drawing} model={model} standing={standing} on={on} />
          <p role="status" className="sr-only">
            {standing.said}
          </p>
        </div>
      </GraphMenu>
    </Writing>
  )
}
