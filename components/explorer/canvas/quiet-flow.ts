import type { ReactFlowProps } from '@xyflow/react'

/**
 * React Flow calls itself an application and has no word for the box around its nodes. That box is our tree: it holds
 * the tree items and nothing else. React sets neither attribute again, since neither prop ever changes.
 */
function asTree(flow: HTMLDivElement | null): void {
  flow?.removeAttribute('role')
  const nodes = flow?.querySelector('.react-flow__nodes')
  nodes?.setAttribute('role', 'tree')
  nodes?.setAttribute('aria-label', 'Messages')
  nodes?.setAttribute('aria-multiselectable', 'true')
}

/** React Flow as a picture only: items have their own keys, focus and clicks, and none is moved or connected. */
export const quietFlow = {
  ref: asTree,
  zoomOnDoubleClick: false,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  panActivationKeyCode: null,
} satisfies ReactFlowProps & { ref: unknown }
