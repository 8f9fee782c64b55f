import type { GraphBranch } from '@/lib/protocol'
import type { ItemId } from '../drawn-graph'
import type { VisibleGraph } from '../visible-graph'
import type { OutlineTree } from './outline-tree'

/**
 * The branch that each item belongs to: the oldest that leads through it. None in a chat with one branch, which needs
 * no telling apart. Linear.
 */
export function lineOwners(
  tree: OutlineTree,
  { labels }: Pick<VisibleGraph, 'labels'>,
): ReadonlyMap<ItemId, GraphBranch> {
  const owners = new Map<ItemId, GraphBranch>()
  const heads = [...labels].flatMap(([id, { branches, waiting }]) =>
    [...branches, ...waiting].map((branch) => ({ id, branch })),
  )
  if (heads.length < 2) return owners
  // labels are in the order of the branches, oldest first
  for (const { id, branch } of heads) {
    let place = tree.placeOf(id)
    while (place) {
      const { line, at } = place
      let last = at
      for (; last >= 0; last--) {
        const item = line.items[last]
        if (!item || owners.has(item.id)) break
        owners.set(item.id, branch)
      }
      place = last >= 0 || line.from === null ? undefined : tree.placeOf(line.from)
    }
  }
  return owners
}
