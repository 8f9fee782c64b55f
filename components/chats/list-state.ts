import { type ListQuery, titleOf } from '@/components/app/listed'
import type { ChatId } from '@/lib/events'
import { type ChatPage, type ChatSummary, tagKey } from '@/lib/protocol'

/** The list of chats on this page: the server's state of it, and the changes here since. */
export interface ListState {
  query: ListQuery
  /** the chats that the page knows, listed or not; null for a deleted one */
  known: ReadonlyMap<ChatId, ChatSummary | null>
  /** the chats of the pages so far, as the server sorts them */
  order: readonly ChatId[]
  /** the cursor of the next page; null after the last */
  next: string | null
  /** the place of the last chat so far: chats behind it are not shown before their page */
  floor: Place | null
  /** number of all chats, where the server has said so */
  total: number | undefined
  phase: 'ready' | 'loading' | 'failed'
  /**
   * counts the changes on this page, and keeps the count at which a chat was changed: a page read before does not
   * take that back
   */
  changes: number
  changedAt: ReadonlyMap<ChatId, number>
  /** counts the lists that were asked for: the answer to an earlier one comes too late */
  asked: number
}

type Place = Pick<ChatSummary, 'pinnedAt' | 'updatedAt' | 'createdAt'>

type Noted = Partial<ChatSummary> & Pick<ChatSummary, 'id'>

export type ListAction =
  /** the first page, of a list that is new or was shown before */
  | { type: 'first'; page: ChatPage; asked?: number; since: number }
  | { type: 'more'; page: ChatPage; asked: number; since: number }
  | { type: 'loading' }
  | { type: 'failed'; asked: number }
  | { type: 'query'; query: Partial<ListQuery> }
  | { type: 'note'; chat: Noted }
  | { type: 'forget'; ids: readonly ChatId[] }
  /** the list of another person */
  | { type: 'reset'; page: ChatPage }

export const plainQuery: ListQuery = { archived: false, q: '', sort: 'updated' }

export function openList(page: ChatPage, query: ListQuery = plainQuery, asked = 0): ListState {
  return {
    query,
    asked,
    phase: 'ready',
    known: new Map(page.chats.map((chat) => [chat.id, chat])),
    changes: 0,
    changedAt: new Map(),
    order: page.chats.map(({ id }) => id),
    next: page.next,
    floor: page.chats.at(-1) ?? null,
    total: page.total,
  }
}

export function changeList(state: ListState, action: ListAction): ListState {
  switch (action.type) {
    case 'reset':
      return openList(action.page, plainQuery, state.asked + 1)
    case 'query': {
      const query = { ...state.query, ...action.query }
      const asked = state.asked + 1
      return {
        ...state,
        query,
        asked,
        order: [],
        next: null,
        floor: null,
        total: undefined,
        phase: 'loading',
      }
    }
    case 'loading':
      return { ...state, phase: 'loading' }
    case 'failed':
      return action.asked === state.asked ? { ...state, phase: 'failed' } : state
    case 'first':
      return action.asked === undefined || action.asked === state.asked ? begun(state, action) : state
    case 'more':
      return action.asked === state.asked ? continued(state, action) : state
    case 'note':
      return {
        ...state,
        known: new Map(state.known).set(action.chat.id, knownOf(state, action.chat)),
        ...changed(state, [action.chat.id]),
      }
    case 'forget': {
      const known = new Map(state.known)
      for (const id of action.ids) known.set(id, null)
      return { ...state, known, ...changed(state, action.ids) }
    }
  }
}

function changed({ changes, changedAt }: ListState, ids: readonly ChatId[]) {
  const at = new Map(changedAt)
  for (const id of ids) at.set(id, changes + 1)
  return { changes: changes + 1, changedAt: at }
}

/** A page as it was read after so many changes. */
interface ReadPage {
  page: ChatPage
  since: number
}

/** The known chats with the chats of a page: a chat that was changed while the page was read keeps the change. */
function knownWith({ known, changedAt }: ListState, { page, since }: ReadPage) {
  const all = new Map(known)
  for (const chat of page.chats) if ((changedAt.get(chat.id) ?? 0) <= since) all.set(chat.id, chat)
  return all
}

/**
 * The list with its first page as it is now. A chat that stood in the range of that page and is missing from it has
 * left the list.
 */
function begun(state: ListState, read: ReadPage): ListState {
  const { page, since } = read
  const fresh = new Set(page.chats.map(({ id }) => id))
  const rest =
    page.next === null ? [] : state.order.filter((id) => !fresh.has(id) && isBelow(state, page, id))
  const known = knownWith(state, read)
  const kept = new Set(rest)
  const fits = matching(state.query)
  for (const [id, chat] of state.known) {
    if (!chat || fresh.has(id) || kept.has(id) || (state.changedAt.get(id) ?? 0) > since || !fits(chat))
      continue
    if (page.next === null || !isBelow(state, page, id)) known.delete(id)
  }
  const isLonger = rest.length > 0
  return {
    ...state,
    known,
    phase: 'ready',
    total: page.total ?? state.total,
    order: [...page.chats.map(({ id }) => id), ...rest],
    next: isLonger ? state.next : page.next,
    floor: isLonger ? state.floor : (page.chats.at(-1) ?? null),
  }
}

/** True when a chat stands below the last of a page, so that the page says nothing about it. */
function isBelow({ known, query }: ListState, page: ChatPage, id: ChatId): boolean {
  const [chat, last] = [known.get(id), page.chats.at(-1)]
  if (!chat || !last) return false
  return query.sort === 'title' || rank(query)(chat, last) > 0
}

function continued(state: ListState, read: ReadPage): ListState {
  const { page } = read
  const there = new Set(state.order)
  const known = knownWith(state, read)
  return {
    ...state,
    known,
    phase: 'ready',
    next: page.next,
    order: [...state.order, ...page.chats.map(({ id }) => id).filter((id) => !there.has(id))],
    floor: page.chats.at(-1) ?? state.floor,
  }
}

/** A chat with all that is known of it. */
export function knownOf(state: ListState, chat: Noted): ChatSummary {
  const blank = { title: null, createdAt: Date.now(), updatedAt: 0, pinnedAt: null, archivedAt: null }
  return {
    ...blank,
    tags: [],
    messageCount: 0,
    branchCount: 1,
    waits: false,
    agent: null,
    origin: null,
    costUsd: null,
    replying: false,
    ...state.known.get(chat.id),
    ...chat,
  }
}

/** The chats of the list, in its order. */
export function shownChats({ known, order, query, next, floor, phase }: ListState): ChatSummary[] {
  // nothing of another list has been read yet
  if (floor === null && phase !== 'ready') return []
  const compare = rank(query)
  const fits = matching(query)
  const listed = new Set(order)
  const shown = order.flatMap((id) => known.get(id) ?? []).filter(fits)
  for (const [id, chat] of known) {
    if (!chat || listed.has(id) || !fits(chat)) continue
    // other chats join only among the pages so far
    if (next === null || (floor && query.sort !== 'title' && compare(chat, floor) < 0)) shown.unshift(chat)
  }
  return shown.sort(compare)
}

/** Every chat that the page knows of. */
export const knownChats = ({ known }: ListState): ChatSummary[] =>
  [...known.values()].filter((chat) => chat !== null)

/** True when a chat is in the list by its filter. */
function matching({ archived, tag, q, agents }: ListQuery): (chat: ChatSummary) => boolean {
  const [key, part] = [tag === undefined ? undefined : tagKey(tag), q.trim().toLowerCase()]
  return (chat) =>
    (chat.archivedAt !== null) === archived &&
    (!agents || chat.agent !== null) &&
    (key === undefined || chat.tags.some((other) => tagKey(other) === key)) &&
    (part === '' || titleOf(chat).toLowerCase().includes(part))
}

/** The order of the list. By title it is the server's, whose alphabet this is not. */
function rank({ archived, sort }: ListQuery): (a: Place, b: Place) => number {
  const pinned = ({ pinnedAt }: Place) => (pinnedAt !== null && !archived ? 1 : 0)
  const time = (chat: Place) => (sort === 'title' ? 0 : chat[`${sort}At`])
  return (a, b) => pinned(b) - pinned(a) || time(b) - time(a)
}

/** True when the list shows anything but all chats that are not archived. */
export const isFiltered = ({ archived, tag, q, agents }: ListQuery): boolean =>
  archived || agents === true || tag !== undefined || q.trim() !== ''

/** The address of a page of the list. */
export function listPath({ archived, tag, q, sort, agents }: ListQuery, cursor?: string): string {
  const asked = new URLSearchParams({
    ...(archived && { archived: 'true' }),
    ...(agents && { agents: 'true' }),
    ...(tag !== undefined && { tag }),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(sort !== 'updated' && { sort }),
    ...(cursor !== undefined && { cursor }),
  })
  return asked.size > 0 ? `/api/chats?${asked}` : '/api/chats'
}
