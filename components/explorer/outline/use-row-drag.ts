import { type DragEvent, type RefObject, useRef } from 'react'
import type { OutlineRow } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'
import type { GraphActions } from '../model/graph-props'
import { type Dragged, draggedBy, droppedOn } from './row-drag'

interface RowDrag {
  model: GraphModel
  rows: readonly OutlineRow[]
  rowHeight: number
  marked: readonly string[]
  scroller: RefObject<HTMLElement | null>
  rowOn(event: DragEvent): OutlineRow | undefined
  merging: GraphActions['merging']
}

/** Rows dragged onto the branch that gets them: messages are cherry-picked, a branch is merged, both after a dialog. */
export function useRowDrag({ model, rows, rowHeight, marked, scroller, rowOn, merging }: RowDrag) {
  const dragged = useRef<Dragged | null>(null)
  const lit = useRef<Element | null>(null)

  /** The names at the end of a row lie above it, so its place tells which one is meant. */
  const under = ({ clientY }: DragEvent): OutlineRow | undefined => {
    const first = scroller.current?.firstElementChild
    return first ? rows[Math.floor((clientY - first.getBoundingClientRect().top) / rowHeight)] : undefined
  }
  const light = (row: OutlineRow | null) => {
    const next = row && scroller.current?.querySelector(`[data-item="${CSS.escape(row.id)}"]`)
    if (next === lit.current) return
    lit.current?.removeAttribute('data-drop')
    next?.setAttribute('data-drop', '')
    lit.current = next ?? null
  }
  const wanted = (event: DragEvent) => {
    const row = under(event)
    return row && dragged.current ? { row, asked: droppedOn(row, dragged.current, model) } : null
  }
  const end = () => {
    dragged.current = null
    light(null)
  }
  return {
    onDragStart(event: DragEvent) {
      const row = rowOn(event)
      dragged.current = row ? draggedBy(row, model, marked) : null
      if (!dragged.current) return event.preventDefault()
      event.dataTransfer.effectAllowed = 'copy'
      // Firefox drags nothing without data
      event.dataTransfer.setData('text/plain', '')
    },
    onDragOver(event: DragEvent) {
      const at = wanted(event)
      light(at?.asked ? at.row : null)
      if (!at?.asked) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) light(null)
    },
    onDrop(event: DragEvent) {
      const asked = wanted(event)?.asked
      end()
      if (!asked) return
      event.preventDefault()
      merging(asked)
    },
    onDragEnd: end,
  }
}
