'use client'

import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import { type Api, getJson } from '@/components/app/api'
import type { App } from '@/components/app/app-context'
import type { ListQuery } from '@/components/app/listed'
import { withoutCode } from '@/components/app/new-version'
import { isGone, problemOf, unreached } from '@/components/app/problem'
import { problemToast } from '@/components/app/toasts'
import { useLookedAt } from '@/components/app/use-looked-at'
import type { ChatId } from '@/lib/events'
import type { ChatPage, ChatSummary } from '@/lib/protocol'
import {
  changeList,
  knownChats,
  knownOf,
  type ListAction,
  listPath,
  openList,
  shownChats,
} from './list-state'

/** A list that was read this long ago is read again when the page is looked at, in ms. */
const STALE = 10_000

/**
 * The viewer's chats: the first page as it came with the page, the pages that were asked for, and the changes since,
 * here and in the other tabs of this browser. Changes of another device show soon, while the page is in view.
 */
export function useChatList(api: Api, viewerId: string | null, first: ChatPage) {
  const [state, dispatch] = useReducer(changeList, first, (page) => openList(page))
  const readAt = useRef(0)
  const now = useRef(state)
  useEffect(() => {
    now.current = state
  }, [state])

  const { query, asked } = state
  const read = useCallback(
    async (page: { query: ListQuery; asked: number; cursor?: string; quietly?: boolean }) => {
      const since = now.current.changes
      try {
        const found = await getJson<ChatPage>(api, listPath(page.query, page.cursor))
        const type = page.cursor === undefined ? 'first' : 'more'
        if (type === 'first') readAt.current = Date.now()
        dispatch({ type, page: found, asked: page.asked, since })
      } catch {
        // the list says so, with a way to try again; a page that is there already stays as it is
        if (!page.quietly) dispatch({ type: 'failed', asked: page.asked })
      }
    },
    [api],
  )

  const isNew = useRef(true)
  useEffect(() => {
    // the first list came with the page
    if (isNew.current) readAt.current = Date.now()
    else void read({ query, asked })
    isNew.current = false
  }, [read, query, asked])

  const owner = useRef(viewerId)
  useEffect(() => {
    // a guest who has just begun has nothing else
    const isOther = owner.current !== null && owner.current !== viewerId
    owner.current = viewerId
    if (isOther) dispatch({ type: 'reset', page: first })
    // it may have been read before the changes on this page
    else if (now.current.asked === 0) dispatch({ type: 'first', page: first, since: 0 })
  }, [first, viewerId])

  const tell = useOtherTabs(viewerId, dispatch)
  const change = useCallback(
    (action: ListAction) => {
      dispatch(action)
      // another tab may not know the chat
      tell(action.type === 'note' ? { type: 'note', chat: knownOf(now.current, action.chat) } : action)
    },
    [tell],
  )
  const noteChat: App['noteChat'] = useCallback((chat) => change({ type: 'note', chat }), [change])
  const forgetChats = useCallback((ids: readonly ChatId[]) => change({ type: 'forget', ids }), [change])

  useLookedAt(() => {
    if (viewerId === null || Date.now() - readAt.current < STALE) return
    void read({ query, asked, quietly: true })
  })

  const loadMore = useCallback(() => {
    const { next, phase, ...list } = now.current
    if (phase === 'loading') return
    dispatch({ type: 'loading' })
    void read({
      query: list.query,
      asked: list.asked,
      ...(list.order.length > 0 && next && { cursor: next }),
    })
  }, [read])

  const ask = useCallback((wanted: Partial<ListQuery>) => dispatch({ type: 'query', query: wanted }), [])

  const { keepChats, archiveChats, removeChats } = useMemo(() => {
    // seldom done, and not before the page is used
    const acts = async () => {
      try {
        const { chatActs } = await import('./chat-acts').catch(withoutCode)
        return chatActs({ api, ask, noteChat, forgetChats, isKnown: (id) => now.current.known.has(id) })
      } catch (error) {
        problemToast(problemOf(error, unreached))
        return null
      }
    }
    return {
      keepChats: async (...asked) => (await acts())?.keepChats(...asked) ?? null,
      archiveChats: async (...asked) => (await acts())?.archiveChats(...asked),
      removeChats: async (...asked) => (await acts())?.removeChats(...asked) ?? false,
    } satisfies Pick<App, 'keepChats' | 'archiveChats' | 'removeChats'>
  }, [api, ask, noteChat, forgetChats])

  const findChat: App['findChat'] = useCallback(
    (id) => {
      getJson<ChatSummary>(api, `/api/chats/${encodeURIComponent(id)}`)
        .then((chat) => dispatch({ type: 'note', chat }))
        .catch((error) => {
          // without another answer, the menu of the chat has less to offer
          if (isGone(error)) dispatch({ type: 'forget', ids: [id] })
        })
    },
    [api],
  )

  const shown = useMemo(() => shownChats(state), [state])
  const chats = useMemo(() => knownChats(state), [state])
  const list: App['list'] = {
    shown,
    query,
    ask,
    loadMore,
    next: state.next,
    total: state.total,
    phase: state.phase,
  }
  return { chats, list, noteChat, forgetChats, keepChats, archiveChats, removeChats, findChat }
}

/** Tells the person's other tabs the changes of this one, and hears of theirs. */
function useOtherTabs(viewerId: string | null, dispatch: (action: ListAction) => void) {
  const channel = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    if (viewerId === null) return
    const opened = new BroadcastChannel(`ramify-chats ${viewerId}`)
    opened.onmessage = ({ data }: MessageEvent<ListAction>) => dispatch(data)
    channel.current = opened
    return () => {
      opened.close()
      channel.current = null
    }
  }, [viewerId, dispatch])
  return useCallback((action: ListAction) => channel.current?.postMessage(action), [])
}
