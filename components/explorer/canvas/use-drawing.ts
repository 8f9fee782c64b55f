'use client'

import { useRouter } from 'next/navigation'
import {
  type MouseEvent as Clicked,
  type FocusEvent,
  type KeyboardEvent,
  type SyntheticEvent,
  useEffect,
  useRef,
} from 'react'
import { keysOf } from '@/components/actions/action'
import { findInGraph } from '@/components/actions/on-graph'
import { withoutCode } from '@/components/app/new-version'
import { errorToast } from '@/components/app/toasts'
import { type Keys, keyName } from '@/components/app/use-keys'
import type { BranchId, MessageId } from '@/lib/events'
import type { ItemId } from '@/lib/graph'
import type { Size } from '../model/geometry'
import { type GraphModel, itemAt } from '../model/graph-model'
import type { ConversationGraphProps, GraphActions } from '../model/graph-props'
import type { Folding } from '../model/use-graph-model'
import type { PictureKind } from '../picture/save-picture'
import { type GraphTarget, type GraphView, graphCommands } from './graph-commands'
import { useFind } from './use-find'
import { useGraphPalette } from './use-graph-palette'
import type { StandingState } from './use-standing'

/** Props of map and outline. */
export interface CanvasProps extends GraphActions, Pick<ConversationGraphProps, 'selectedId'> {
  model: GraphModel
  folding: Folding
  /** the size of the pane when it opens */
  size: Size
  /** the time it shows, in milliseconds since 1970; null for now */
  asOf: number | null
}

interface DrawingOptions extends Pick<CanvasProps, 'model' | 'folding' | 'selectedId' | 'asOf'> {
  /** the graph in a saved picture */
  pictured: GraphModel
  standing: StandingState
  viewport: GraphView
  on: GraphActions
  /** the item that an event happens on */
  itemUnder(event: SyntheticEvent | Event): ItemId | null
  /** true when an item stands in the drawing itself, not in a fold or a closed branch */
  isDrawn(id: ItemId): boolean
  /** opens the closed branches around a message */
  open?(id: MessageId): void
}

/** Parts that map and outline share: finding, commands, and the meaning of clicks, keys and menus. */
export function useDrawing(options: DrawingOptions) {
  const { model, pictured, folding, standing, viewport, selectedId, asOf, on } = options
  const { itemUnder, isDrawn, open } = options
  const router = useRouter()
  const stepTo = useRef<MessageId | null>(null)
  const cameFrom = useRef<BranchId>(undefined)

  // a hit in a fold or a closed branch is shown once that is open
  useEffect(() => {
    const id = stepTo.current
    if (id === null || !isDrawn(id)) return
    stepTo.current = null
    viewport.show(id)
  })
  const reveal = (id: MessageId) => {
    const item = itemAt(model, id)
    stepTo.current = isDrawn(id) ? null : id
    if (item?.kind === 'fold') folding.unfold(item.nodes.map((node) => node.id))
    open?.(id)
    if (isDrawn(id)) viewport.show(id)
  }
  const find = useFind(model.visible, on.findText, reveal)

  // loaded when it is asked for, which is seldom
  const save = (kind: PictureKind) => {
    import('../picture/save-picture')
      .catch(withoutCode)
      .then(({ savePicture }) => savePicture(kind, pictured, asOf))
      .catch(() => errorToast('The picture could not be drawn. Try the other kind, or try again.'))
  }
  const commands = graphCommands({
    model,
    folding,
    standing,
    viewport,
    selectedId,
    on,
    save,
    find: find.open,
    goTo: (url) => router.push(url),
  })
  useGraphPalette(model, commands, selectedId ?? standing.tabId, on.onReveal)
  const pane = commands({ kind: 'pane' })

  return {
    commands,
    /** actions on the whole graph */
    pane,
    find,
    /** Goes to the hit after or before the current one. */
    step(by: 1 | -1) {
      const id = find.step(by)
      if (id !== null) reveal(id)
    },
    /** Ends finding; the focus goes to the current hit. */
    endFind() {
      const id = find.currentId ?? standing.tabId
      find.close()
      if (id !== null) standing.focusOn(id)
    },
    /** A message is clicked: it is selected, with Shift picked for comparing. */
    pick(id: MessageId, { detail, shiftKey }: Clicked) {
      // the first click of two may lead to another branch; both together are one move
      if (detail < 2) cameFrom.current = model.branchId
      // the item takes the focus, not the button in it, which has no keys and no place in the tree
      standing.focusOn(id)
      if (shiftKey && on.compareUrl) standing.toggleMark(id)
      else on.onSelect(id)
    },
    /** A message is clicked twice: a branch starts there, unless it is still being written. */
    branchFrom(id: MessageId) {
      if (!commands({ kind: 'item', id }).isWriting) on.onBranchFrom(id, cameFrom.current)
    },
    /**
     * A key is pressed: the first table that has it handles it.
     *
     * @param keysAt the tables of the item that has the focus
     * @returns true when it did anything
     */
    press(event: KeyboardEvent, keysAt: (id: ItemId) => readonly Keys[]): boolean {
      const { target } = event
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return false
      const id = target instanceof Element && target.closest('[role="treeitem"]') ? itemUnder(event) : null
      const tables = [...(id === null ? [] : keysAt(id)), keysOf([findInGraph], pane)]
      const done = tables.some((keys) => {
        const press = keys[keyName(event)]
        return press !== undefined && press(event.nativeEvent) !== false
      })
      if (!done) return false
      // neither the page's keys nor the button in the item handle it again
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    onFocus(event: FocusEvent) {
      standing.hold(event.target)
      if (event.target.getAttribute('role') === 'treeitem') standing.setStoodOn(itemUnder(event))
    },
    /** The target of a menu: the item under the pointer, or in focus. */
    targetOf(event: Event): GraphTarget {
      const { target } = event
      const label =
        target instanceof Element ? target.closest<HTMLElement>('[data-branch], [data-checkpoint]') : null
      const { branch, checkpoint } = label?.dataset ?? {}
      if (branch !== undefined) return { kind: 'branch', id: branch }
      if (checkpoint !== undefined) return { kind: 'checkpoint', name: checkpoint }
      const id = itemUnder(event)
      return id === null ? { kind: 'pane' } : { kind: 'item', id }
    },
    onMenuClosed(target: GraphTarget) {
      if (standing.naming) return
      // a stretch that was unfolded gave the focus to its first message
      if (target.kind === 'item' && isDrawn(target.id)) standing.focusOn(target.id)
      if (target.kind !== 'branch' && target.kind !== 'checkpoint') return
      const [name, value] =
        target.kind === 'branch' ? ['data-branch', target.id] : ['data-checkpoint', target.name]
      const label = standing.frame.current?.querySelector<HTMLElement>(
        `:is(button, [role=treeitem])[${name}="${CSS.escape(value)}"]`,
      )
      if (label) label.focus({ preventScroll: true })
      else if (standing.tabId !== null) standing.focusOn(standing.tabId)
    },
  }
}

export type Drawing = ReturnType<typeof useDrawing>
