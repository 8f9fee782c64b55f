import { graphModel } from '@/components/explorer/model/graph-model'
import { withArchived } from '@/components/explorer/outline/use-outline'
import { indexGraph, lineHeirs, outlineRows, outlineTree } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'

interface Given {
  branchId?: string
  opened?: readonly string[]
  folded?: ReadonlySet<string>
  past?: boolean
  /** a graph of another time, whose lines keep their places */
  heirsOf?: Graph
}

/** The outline of a graph, archived branches included, as the page makes it: its model, its tree and its rows. */
export function sketchOutline(
  graph: Graph,
  { branchId = 'main', opened, folded, past = false, heirsOf = graph }: Given = {},
) {
  const model = {
    ...withArchived(graphModel(indexGraph(graph), { branchId, ...(folded && { folded }) })),
    past,
  }
  const tree = outlineTree(model.drawn, lineHeirs(indexGraph(heirsOf)))
  const rows = outlineRows(tree, model.visible, { ...model, opened: new Set(opened) })
  const row = (id: string) => {
    const found = rows.find((known) => known.id === id)
    if (!found) throw new Error(`no row ${id}`)
    return found
  }
  return { model, tree, rows, row }
}
