import type { DrawnGraph, ItemId } from '@/lib/graph'

/** Where a key leads from an item: to another one, or null where there is none that way. */
type Move = (drawn: DrawnGraph, from: ItemId, headId: ItemId | null) => ItemId | null

const version =
  (step: 1 | -1): Move =>
  ({ byId, rootIds }, from) => {
    const parentId = byId.get(from)?.parentId
    if (parentId === undefined) return null
    const versions = parentId === null ? rootIds : (byId.get(parentId)?.childIds ?? [])
    return versions[versions.indexOf(from) + step] ?? null
  }

/** The keys that walk the tree. */
export const treeMoves: Readonly<Record<string, Move>> = {
  ArrowUp: ({ byId }, from) => byId.get(from)?.parentId ?? null,
  ArrowDown: ({ byId }, from) => byId.get(from)?.childIds[0] ?? null,
  ArrowLeft: version(-1),
  ArrowRight: version(1),
  '[': version(-1),
  ']': version(1),
  Home: ({ byId, rootIds }, from) => {
    let at = byId.get(from)
    for (let above = at; above; above = above.parentId === null ? undefined : byId.get(above.parentId))
      at = above
    return at?.id ?? rootIds[0] ?? null
  },
  End: ({ byId }, _from, headId) => (headId !== null && byId.has(headId) ? headId : null),
}
