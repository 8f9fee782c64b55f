'use client'

import { ReactFlow } from '@xyflow/react'
import { type KeyboardEvent, useState } from 'react'
import type { MessageId } from '@/lib/events'
import { ActionToolbar } from './action-toolbar'
import { flowEdges, flowNodes } from './flow'
import { cellBox, drawingBox, openingView, type Size, zoomRange } from './geometry'
import { GraphControls } from './graph-controls'
import type { ConversationGraphProps } from './graph-props'
import { LabelLayer } from './label-layer'
import { LaneLine } from './lane-edge'
import { NodeCard } from './node-card'
import { PreviewCard } from './preview-card'
import { type Scene, SceneContext } from './scene'
import { treeMoves } from './tree-moves'
import { useFar } from './use-far'
import type { GraphModel } from './use-graph-model'
import { useHovered } from './use-hovered'
import { useViewport } from './use-viewport'

const nodeTypes = { message: NodeCard }
const edgeTypes = { lane: LaneLine }
/** Up to this many messages all are on the page; beyond, those in sight. */
const drawAllUpTo = 200

interface GraphCanvasProps extends Omit<ConversationGraphProps, 'graph' | 'pending'> {
  model: GraphModel
  /** the room there is when the drawing opens */
  size: Size
}

/** The drawing itself: React Flow given everything it shows, and what floats above it. */
export function GraphCanvas({ model, size, branchId, selectedId, ...on }: GraphCanvasProps) {
  const { visible, placement, headId, lit } = model
  const view = useViewport(model, selectedId)
  const { hovered, leave, handlers } = useHovered()
  const far = useFar()
  const [stoodOn, setStoodOn] = useState<MessageId | null>(null)
  const [wantsFocus, setWantsFocus] = useState<MessageId | null>(null)
  const [pickedOffChain, setPickedOffChain] = useState<MessageId | null>(null)
  const tabId =
    [stoodOn, selectedId, headId].find((id) => id !== null && visible.byId.has(id)) ??
    visible.rootIds[0] ??
    null

  const pick = (id: MessageId) => {
    // asked when it is first picked: the parent may answer by opening the branch that holds it
    if (id !== selectedId) setPickedOffChain(lit.has(id) ? null : id)
    on.onSelect(id)
  }
  const focusOn = (id: MessageId) => {
    setStoodOn(id)
    setWantsFocus(id)
    view.show(id)
  }
  const onKey = (event: KeyboardEvent, id: MessageId) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const move = treeMoves[event.key]
    const to = move?.(visible, id, headId)
    if (to) focusOn(to)
    else if (event.key === 'Enter' && id === selectedId) on.onOpen(id)
    else if (event.key === 'Enter' || event.key === ' ') pick(id)
    else if (event.key === 'b') on.onBranchFrom(id)
    else if (event.key === 'c') on.onCheckpoint(id)
    else if (event.key === 'Escape') leave()
    else if (!move) return
    // handled here: neither the page's own keys nor the button's click shall have it too
    event.preventDefault()
    event.stopPropagation()
  }
  const scene: Scene = {
    visible,
    branchId,
    headId,
    lit,
    selectedId,
    tabId,
    wantsFocus,
    onPick: pick,
    onBranchFrom: on.onBranchFrom,
    onFocused: (id) => {
      setStoodOn(id)
      setWantsFocus(null)
    },
    onKey,
    onSwitch: on.onSwitch,
    onRestore: on.onRestore,
  }

  const drawing = drawingBox(placement.columns, placement.rows)
  const headCell = headId === null ? undefined : placement.cells.get(headId)
  const [opening] = useState(() => openingView(drawing, headCell ? cellBox(headCell) : drawing, size))
  const selectedCell = selectedId === null ? undefined : placement.cells.get(selectedId)
  const shown = hovered === null ? undefined : visible.byId.get(hovered)
  const shownCell = hovered === null ? undefined : placement.cells.get(hovered)
  const culls = visible.nodes.length > drawAllUpTo
  return (
    <SceneContext value={scene}>
      <div className="group/graph h-full" data-far={far || undefined} {...handlers}>
        <ReactFlow
          ref={asTree}
          nodes={flowNodes(visible.nodes, placement, culls ? tabId : null)}
          edges={flowEdges(visible.byId, placement, lit)}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...size}
          defaultViewport={opening}
          minZoom={zoomRange.min}
          maxZoom={zoomRange.max}
          onlyRenderVisibleElements={culls}
          onMoveStart={leave}
          onMoveEnd={view.onMoveEnd}
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
          // the only link inside is React Flow's own mention
          className="[--xy-attribution-background-color:transparent] [&_a]:text-faint!"
        >
          <LabelLayer placement={placement} />
          {selectedId !== null && selectedCell && (
            <ActionToolbar
              key={selectedId}
              box={cellBox(selectedCell)}
              branchFirst={pickedOffChain === selectedId || !lit.has(selectedId)}
              onOpen={() => on.onOpen(selectedId)}
              onBranchFrom={() => on.onBranchFrom(selectedId)}
              onCheckpoint={() => on.onCheckpoint(selectedId)}
              onCompare={on.onCompare && (() => on.onCompare?.(selectedId))}
              onLeave={() => focusOn(selectedId)}
            />
          )}
          <GraphControls onZoom={view.zoomTo} onFit={view.fit} onHead={view.showHead} />
          {shown && shownCell && (
            <PreviewCard
              node={shown.node}
              box={cellBox(shownCell)}
              versions={shown.versions > 1 ? `${shown.version} / ${shown.versions}` : null}
            />
          )}
        </ReactFlow>
      </div>
    </SceneContext>
  )
}

/**
 * React Flow calls itself an application and has no word for the box around its nodes. That box is our tree: it holds
 * the tree items and nothing else. React sets neither attribute again, since neither prop ever changes.
 */
function asTree(flow: HTMLDivElement | null): void {
  flow?.removeAttribute('role')
  const nodes = flow?.querySelector('.react-flow__nodes')
  nodes?.setAttribute('role', 'tree')
  nodes?.setAttribute('aria-label', 'Messages')
}
