'use client'

import { useState } from 'react'
import type { App } from '@/components/app/app-context'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'

/** The viewer's chats: as loaded, and as changed since on this page. */
export function useChats(loaded: readonly ChatSummary[]) {
  const [news, setNews] = useState<ReadonlyMap<ChatId, Partial<ChatSummary> | null>>(new Map())

  const noteChat: App['noteChat'] = (chat) =>
    setNews((before) => new Map(before).set(chat.id, { ...before.get(chat.id), ...chat }))
  const forgetChat = (id: ChatId) => setNews((before) => new Map(before).set(id, null))

  const known = new Map(loaded.map((chat) => [chat.id, chat]))
  const chats: ChatSummary[] = []
  for (const [id, change] of news) {
    if (change === null) continue
    const blank = { id, title: null, updatedAt: 0, messageCount: 0, branchCount: 1 }
    chats.push({ ...blank, ...known.get(id), ...change })
  }
  for (const chat of loaded) if (!news.has(chat.id)) chats.push(chat)
  return { chats, noteChat, forgetChat }
}
