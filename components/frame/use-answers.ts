'use client'

import { useCallback, useRef } from 'react'
import type { App, MessagePlace } from '@/components/app/app-context'
import type { ChatId } from '@/lib/events'

/** The pages that show a chat now: they go to its messages without loading anything. */
export function useAnswers() {
  const pages = useRef(new Map<ChatId, (place: MessagePlace) => boolean>())

  const answerFor = useCallback<App['answerFor']>((chatId, open) => {
    const all = pages.current
    all.set(chatId, open)
    return () => {
      if (all.get(chatId) === open) all.delete(chatId)
    }
  }, [])
  /** whether a page went there */
  const answers = useCallback((place: MessagePlace) => pages.current.get(place.chatId)?.(place) ?? false, [])

  return { answerFor, answers }
}
