import type { ChatId } from '@/lib/events'

/** Chats that are selected in the list, for an act on many. */
export interface Selection {
  /** the selected chats; with `all`, the chats that are not selected */
  ids: ReadonlySet<ChatId>
  /** everything that the list shows, loaded or not, but for `ids` */
  all: boolean
  /** the beginning of a stretch that Shift selects */
  anchor: ChatId | null
}

export type SelectionAction =
  | { type: 'begin'; id: ChatId }
  | { type: 'toggle'; id: ChatId }
  /** from the anchor to a chat; `order` is the list from top to bottom */
  | { type: 'stretch'; to: ChatId; order: readonly ChatId[] }
  | { type: 'all' }
  /** chats that left the list are not selected any more; with the last of them the selection ends */
  | { type: 'keep'; order: readonly ChatId[] }
  | { type: 'leave' }

/** Null while nothing is being selected. */
export function changeSelection(selection: Selection | null, action: SelectionAction): Selection | null {
  switch (action.type) {
    case 'leave':
      return null
    case 'all':
      return { ids: new Set(), all: true, anchor: null }
    case 'begin':
      return { ids: new Set([action.id]), all: false, anchor: action.id }
    case 'toggle': {
      const ids = new Set(selection?.ids)
      if (!ids.delete(action.id)) ids.add(action.id)
      return { ids, all: selection?.all ?? false, anchor: action.id }
    }
    case 'stretch':
      return stretched(selection, action.to, action.order)
    case 'keep': {
      if (!selection || action.order.length === 0) return null
      if (selection.all) return selection
      const there = new Set(action.order)
      const ids = new Set([...selection.ids].filter((id) => there.has(id)))
      if (ids.size === selection.ids.size) return selection
      return ids.size === 0 ? null : { ...selection, ids }
    }
  }
}

function stretched(selection: Selection | null, to: ChatId, order: readonly ChatId[]): Selection {
  const { ids = new Set<ChatId>(), all = false, anchor = null } = selection ?? {}
  const [from, end] = [anchor === null ? -1 : order.indexOf(anchor), order.indexOf(to)]
  const begin = from < 0 ? end : from
  const stretch = order.slice(Math.min(begin, end), Math.max(begin, end) + 1)
  const next = new Set(ids)
  for (const id of stretch) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return { ids: next, all, anchor: from < 0 ? to : anchor }
}

export const isSelected = (selection: Selection | null, id: ChatId): boolean =>
  selection !== null && selection.ids.has(id) !== selection.all

/** Number of selected chats, in a list of `total`. */
export const selectedCount = ({ ids, all }: Selection, total: number): number =>
  all ? Math.max(0, total - ids.size) : ids.size
