import { graphModel } from '@/components/explorer/model/graph-model'
import { outlineOf } from '@/components/explorer/outline/use-outline'
import { indexGraph, lineHeirs } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'

interface Given {
  branchId?: string
  opened?: readonly string[]
  folded?: ReadonlySet<string>
  /** the folded messages that parts of a stretch begin with */
  starts?: readonly string[]
  past?: boolean
  /** a graph of another time, whose lines keep their places */
  heirsOf?: Graph
}

/** The outline of a graph, as the page makes it: its model, its tree and its rows. */
export function sketchOutline(
  graph: Graph,
  { branchId = 'main', opened, folded, starts, past = false, heirsOf = graph }: Given = {},
) {
  const base = { ...graphModel(indexGraph(graph), { branchId, ...(folded && { folded }) }), past }
  const { model, tree, rows } = outlineOf(base, {
    heirs: lineHeirs(indexGraph(heirsOf)),
    opened: new Set(opened),
    starts: new Set(starts),
  })
  const row = (id: string) => {
    const found = rows.find((known) => known.id === id)
    if (!found) throw new Error(`no row ${id}`)
    return found
  }
  return { model, tree, rows, row }
}
