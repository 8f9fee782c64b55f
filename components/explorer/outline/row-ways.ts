import type { OutlineRow, RowId } from '@/lib/graph'

/** The row that an arrow leads to: up and down the list, into a branch that is open, or out to its beginning. */
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
