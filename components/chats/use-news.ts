'use client'

import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Api } from '@/components/app/api'
import {
  type AppNews,
  markedTitle,
  type NewsKind,
  newsWords,
  readNews,
  writeNews,
} from '@/components/app/news'
import { isNotifying } from '@/components/app/notifying'
import { endOf, isBusy } from '@/components/session/chat-session'
import { openLive } from '@/components/session/live-connection'
import { storedValue, useStored } from '@/components/ui/stored-value'
import type { ChatId } from '@/lib/events'
import { applyDelta, type Graph } from '@/lib/protocol'

/** Chats watched at once: all tabs of a site share six connections. */
const mostWatched = 2

interface NewsDeps {
  api: Api
  viewerId: string | null
  titleOf(chatId: ChatId): string
  openChat(chatId: ChatId): void
}

/**
 * The news of a person's chats in this browser, which remembers what is not read yet. A chat that is left while a reply
 * of it is written is watched until the reply has ended.
 */
export function useNews({ api, viewerId, titleOf, openChat }: NewsDeps): AppNews {
  const key = `ramify-news ${viewerId ?? ''}`
  const [stored, setStored] = useStored(key, '')
  const watched = useRef(new Map<ChatId, () => void>())
  const news = useMemo(() => readNews(stored), [stored])

  // read anew: another tab may have changed it
  const change = useEffectEvent((to: (all: Map<ChatId, NewsKind>) => void) => {
    const all = new Map(readNews(storedValue(key) ?? ''))
    to(all)
    setStored(writeNews(all))
  })
  const notify = useEffectEvent((chatId: ChatId, kind: NewsKind) => {
    if (document.hasFocus() || !isNotifying()) return
    // of several tabs that tell the same, the browser shows one
    const shown = new Notification(titleOf(chatId), { body: newsWords[kind], tag: `${chatId} ${kind}` })
    shown.onclick = () => {
      focus()
      shown.close()
      openChat(chatId)
    }
  })

  const stop = useCallback((chatId: ChatId) => {
    watched.current.get(chatId)?.()
    watched.current.delete(chatId)
  }, [])
  const tell = useCallback((chatId: ChatId, kind: NewsKind) => {
    change((all) => all.set(chatId, kind))
    notify(chatId, kind)
  }, [])
  const read = useCallback(
    (chatId: ChatId) => {
      stop(chatId)
      if (readNews(storedValue(key) ?? '').has(chatId)) change((all) => all.delete(chatId))
    },
    [stop, key],
  )
  /** Watches a chat from a graph of it on, until nothing of it is written. */
  const watch = useCallback(
    (left: Graph) => {
      const { chatId } = left
      stop(chatId)
      const [oldest] = watched.current.keys()
      if (oldest !== undefined && watched.current.size >= mostWatched) stop(oldest)
      let graph = left
      const hangUp = openLive({
        ...{ api, chatId },
        readTo: () => graph.seq,
        onDelta(delta) {
          graph = applyDelta(graph, delta)
          if (isBusy(graph)) return
          stop(chatId)
          tell(chatId, endOf(graph))
        },
        onGone: () => stop(chatId),
        onLost: () => undefined,
        isAwaited: () => true,
      })
      watched.current.set(chatId, hangUp)
    },
    [api, stop, tell],
  )

  useEffect(() => {
    const all = watched.current
    return () => {
      for (const hangUp of all.values()) hangUp()
      all.clear()
    }
  }, [])

  return useMemo(() => ({ all: news, tell, read, watch }), [news, tell, read, watch])
}

/** Keeps a mark in the title of the window while there is news, whoever sets the title. */
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
