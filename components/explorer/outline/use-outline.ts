'use client'

import { useMemo, useState } from 'react'
import type { MessageId } from '@/lib/events'
import {
  archiveKey,
  drawnGraph,
  foldedSteps,
  type GraphIndex,
  type Heirs,
  type ItemId,
  keysTo,
  landmarks,
  lineHeirs,
  type OutlineRow,
  outlineRows,
  outlineTree,
  type RowId,
  visibleGraph,
} from '@/lib/graph'
import { type GraphModel, itemAt } from '../model/graph-model'

interface OutlineState {
  heirs: Heirs
  /** branches and folds that the reader has opened */
  opened: ReadonlySet<string>
  /** the folded messages that the parts of a long stretch begin with */
  starts: ReadonlySet<MessageId>
}

/** The outline of a model: its lines, and its rows. Archived branches are left out until they are asked for. */
export function outlineOf(base: GraphModel, { heirs, opened, starts }: OutlineState) {
  const { index, branchId, folded } = base
  // one that ends at a message in sight, like a remote's branch after a pull, has nothing more to show
  const archived = index.graph.branches.filter(
    ({ id, archivedAt, headId }) =>
      archivedAt !== null && id !== branchId && !(headId !== null && base.visible.byId.has(headId)),
  )
  const showArchived = archived.length > 0 && opened.has(archiveKey)
  const visible = showArchived ? visibleGraph(index, { branchId, showArchived }) : base.visible
  const isSame = visible === base.visible && starts.size === 0
  const model = isSame ? base : { ...base, visible, drawn: drawnGraph(visible, folded, starts) }
  const tree = outlineTree(model.drawn, heirs)
  const { lit } = base
  const rows = outlineRows(tree, visible, { lit, branchId, opened, archived: archived.length })
  return { model, tree, rows }
}

/**
 * Messages at which the folded stretches of an outline are split, so that its rows fill the room; steps of an agent
 * are one sum.
 */
const splits = (rows: readonly OutlineRow[], room: number): MessageId[] => {
  const folds = rows.flatMap((row) => (row.kind === 'fold' ? [row.item.nodes] : []))
  const stretches = folds.filter((nodes) => foldedSteps(nodes) === null)
  return landmarks(stretches, room - rows.length)
}

/** The outline as a chat opens. */
export function openingOutline(base: GraphModel, heirs: Heirs, room: number) {
  const state = { heirs, opened: new Set<string>(), starts: new Set<MessageId>() }
  const starts = new Set(splits(outlineOf(base, state).rows, room))
  return { ...outlineOf(base, { ...state, starts }), starts }
}

/**
 * The rows of the outline, with the open ones, and functions that find rows.
 *
 * @param room number of rows that fill the pane
 */
export function useOutline(base: GraphModel, now: GraphIndex, room: number) {
  const heirs = useHeirs(now)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [starts, setStarts] = useState(() => openingOutline(base, heirs, room).starts)
  const { model, tree, rows } = useMemo(
    () => outlineOf(base, { heirs, opened, starts }),
    [base, heirs, opened, starts],
  )
  // a stretch that was split stays split: no row goes because another one opens
  const more = splits(rows, room)
  if (more.length > 0) setStarts(new Set([...starts, ...more]))
  const places = useMemo(() => new Map(rows.map(({ id }, at) => [id, at])), [rows])

  const keysFor = (id: ItemId): string[] => {
    const item = itemAt(model, id)
    return item ? keysTo(tree, item.id, model.lit) : []
  }
  return {
    model,
    rows,
    /** the number of a row */
    places,
    rowAt: (id: RowId): OutlineRow | undefined => rows[places.get(id) ?? -1],
    /**
     * the row that shows a message, or an item by its own id: its own, or the row of the closed branch that holds it
     */
    rowOf(id: ItemId): RowId | null {
      const own = itemAt(model, id)?.id ?? id
      if (places.has(own)) return own
      for (const key of keysFor(id).toReversed()) {
        const holder = rows.find((row) => row.kind === 'branch' && row.opens.at(-1) === key)
        if (holder) return holder.id
      }
      return null
    },
    setOpen(keys: readonly string[], isOpen: boolean) {
      const next = new Set(opened)
      for (const key of isOpen ? keys : keys.slice(-1)) {
        if (isOpen) next.add(key)
        else next.delete(key)
      }
      setOpened(next)
    },
    /** Opens what hides a message. */
    reveal(id: ItemId) {
      const keys = keysFor(id)
      if (keys.some((key) => !opened.has(key))) setOpened(new Set([...opened, ...keys]))
    },
  }
}

export type Outline = ReturnType<typeof useOutline>

/** The line that goes on at each fork, as decided when the fork was first seen. */
function useHeirs(index: GraphIndex) {
  const [known, setKnown] = useState(() => ({ index, heirs: lineHeirs(index) }))
  if (known.index === index) return known.heirs
  const heirs = lineHeirs(index, known.heirs)
  setKnown({ index, heirs })
  return heirs
}
