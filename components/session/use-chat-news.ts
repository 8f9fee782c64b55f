'use client'

import { useApp } from '@/components/app/app-context'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatId } from '@/lib/events'

/** Reads the news of the chat on the page when it is looked at. */
export function useChatNews(chatId: ChatId): void {
  const { all, read, leave } = useApp().news
  const isNew = all.has(chatId)

  useOnChange([chatId, isNew, read, leave], () => {
    const look = () => (document.hidden ? leave(chatId) : read(chatId))
    look()
    document.addEventListener('visibilitychange', look)
    addEventListener('focus', look)
    return () => {
      leave(chatId)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('focus', look)
    }
  })
}
