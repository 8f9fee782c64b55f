'use client'

import { useCallback } from 'react'
import { getJson } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import type { ChatId, MessageId } from '@/lib/events'
import type { SearchPage } from '@/lib/graph'

/** As many as the server gives in one answer. */
const mostFound = 100

/** Finds the messages of a chat, on any branch, that hold all the words; of very many hits, the best. */
export function useFindText(chatId: ChatId): (words: string, signal: AbortSignal) => Promise<MessageId[]> {
  const { api } = useApp()
  return useCallback(
    async (words, signal) => {
      const query = new URLSearchParams({ q: words, chat: chatId, limit: String(mostFound) })
      const { hits } = await getJson<SearchPage>(api, `/api/search?${query}`, signal)
      return hits.map(({ messageId }) => messageId)
    },
    [api, chatId],
  )
}
