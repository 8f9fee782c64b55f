import type { OutlineRow, RowId } from '@/lib/graph'

/** Where an arrow leads from a row: up and down the list, into a branch that is open, or out to where it begins. */
export function rowWay(
  rows: readonly OutlineRow[],
  places: ReadonlyMap<RowId, number>,
  way: 'above' | 'below' | 'within' | 'around',
  from: RowId,
): RowId | null {
  const at = places.get(from)
  if (at === undefined) return null
  const next = rows[at + 1]
  switch (way) {
    case 'above':
      return rows[at - 1]?.id ?? null
    case 'below':
      return next?.id ?? null
    case 'within':
      return next?.parentId === from && next.kind !== 'branch' && next.kind !== 'more' ? next.id : null
    case 'around':
      return rows[at]?.parentId ?? null
  }
}
