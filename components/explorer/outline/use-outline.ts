'use client'

import { useMemo, useState } from 'react'
import {
  drawnGraph,
  type GraphIndex,
  type ItemId,
  keysTo,
  lineHeirs,
  type OutlineRow,
  outlineRows,
  outlineTree,
  type RowId,
  visibleGraph,
} from '@/lib/graph'
import { type GraphModel, itemAt } from '../model/graph-model'

/** The model as the outline draws it: archived branches are rows like others. */
export function withArchived(model: GraphModel): GraphModel {
  const { index, branchId, folded } = model
  const hides = index.graph.branches.some(({ id, archivedAt }) => archivedAt !== null && id !== branchId)
  if (!hides) return model
  const visible = visibleGraph(index, { branchId, showArchived: true })
  return { ...model, visible, drawn: drawnGraph(visible, folded) }
}

/** The rows of the outline, which of them are open, and how to find them. */
export function useOutline(base: GraphModel, now: GraphIndex) {
  const heirs = useHeirs(now)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const model = useMemo(() => withArchived(base), [base])
  const tree = useMemo(() => outlineTree(model.drawn, heirs), [model, heirs])
  const rows = useMemo(() => outlineRows(tree, model.visible, { ...model, opened }), [tree, model, opened])
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
    /** the row a message, or an item by its own id, is seen in: its own, or that of the closed branch that holds it */
    rowOf(id: ItemId): RowId | null {
      const own = itemAt(model, id)?.id ?? id
      if (places.has(own)) return own
      const keys = keysFor(id)
      const holder = rows.findLast(
        (row) => row.kind === 'branch' && row.branch !== null && keys.includes(row.opens.at(-1) ?? ''),
      )
      return holder?.id ?? null
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

/** Which line goes on at each fork, as decided when the fork was first seen. */
function useHeirs(index: GraphIndex) {
  const [known, setKnown] = useState(() => ({ index, heirs: lineHeirs(index) }))
  if (known.index === index) return known.heirs
  const heirs = lineHeirs(index, known.heirs)
  setKnown({ index, heirs })
  return heirs
}
