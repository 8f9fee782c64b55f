'use client'

import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { App } from '@/components/app/app-context'
import { titleOf } from '@/components/app/listed'
import {
  type AppNews,
  markedTitle,
  type NewsKind,
  newsOf,
  newsWords,
  readNews,
  writeNews,
} from '@/components/app/news'
import { isNotifying } from '@/components/app/notifying'
import { storedValue, useStored } from '@/components/ui/stored-value'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'

/** The time between two looks at a chat whose reply is under way, in ms. */
const EVERY = 2000

interface NewsDeps extends Pick<App, 'chats' | 'findChat'> {
  viewerId: string | null
  /** the chat whose page is open */
  openId: ChatId | null
  openChat(chatId: ChatId): void
}

/**
 * The news of a person's chats in this browser, which remembers what is not read yet. News is a change of the list: a reply
 * has ended, or a tool begins to wait, in a chat that is not in sight. The list looks often at chats with a reply under way.
 */
export function useNews({ viewerId, chats, findChat, openId, openChat }: NewsDeps): AppNews {
  const key = `ramify-news ${viewerId ?? ''}`
  // the chat that is looked at, in any tab
  const lookedAt = `ramify-looked-at ${viewerId ?? ''}`
  const [stored, setStored] = useStored(key, '')
  const [, setLookedAt] = useStored(lookedAt, '')
  const news = useMemo(() => readNews(stored), [stored])

  // read anew: another tab may have changed it
  const change = useEffectEvent((to: (all: Set<ChatId>) => void) => {
    const all = new Set(readNews(storedValue(key) ?? ''))
    to(all)
    setStored(writeNews(all))
  })
  const tell = useEffectEvent((chat: ChatSummary, kind: NewsKind) => {
    const isInSight = (openId === chat.id && !document.hidden) || storedValue(lookedAt) === chat.id
    if (isInSight) return
    // a chat that waits is marked as long as the list says so
    if (kind === 'ended') change((all) => all.add(chat.id))
    if (document.hasFocus() || !isNotifying()) return
    // when several tabs tell the same, the browser shows one
    const shown = new Notification(titleOf(chat), { body: newsWords[kind], tag: `${chat.id} ${kind}` })
    shown.onclick = () => {
      focus()
      shown.close()
      openChat(chat.id)
    }
  })

  const known = useRef<ReadonlyMap<ChatId, ChatSummary>>(new Map())
  useEffect(() => {
    const before = known.current
    known.current = new Map(chats.map((chat) => [chat.id, chat]))
    for (const chat of chats) {
      const kind = newsOf(before.get(chat.id), chat)
      if (kind) tell(chat, kind)
    }
  }, [chats])

  const awaited = chats.filter(({ id, replying }) => replying && id !== openId).map(({ id }) => id)
  const look = useEffectEvent(() => {
    for (const id of awaited) findChat(id)
  })
  const isAwaiting = awaited.length > 0
  useEffect(() => {
    if (!isAwaiting) return
    const timer = setInterval(() => look(), EVERY)
    return () => clearInterval(timer)
  }, [isAwaiting])

  const read = useEffectEvent((chatId: ChatId) => {
    setLookedAt(chatId)
    if (readNews(storedValue(key) ?? '').has(chatId)) change((all) => all.delete(chatId))
  })
  const leave = useEffectEvent((chatId: ChatId) => {
    if (storedValue(lookedAt) === chatId) setLookedAt(null)
  })
  const onRead = useCallback((chatId: ChatId) => read(chatId), [])
  const onLeave = useCallback((chatId: ChatId) => leave(chatId), [])
  return useMemo(() => ({ all: news, read: onRead, leave: onLeave }), [news, onRead, onLeave])
}

/** Keeps a mark in the title of the window while there is news, also when other code sets the title. */
export function useTitleMark(hasNews: boolean): void {
  useEffect(() => {
    const put = () => {
      const wanted = markedTitle(document.title, hasNews)
      if (document.title !== wanted) document.title = wanted
    }
    put()
    const changed = new MutationObserver(put)
    changed.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => changed.disconnect()
  }, [hasNews])
}
