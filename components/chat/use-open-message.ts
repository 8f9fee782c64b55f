'use client'

import { useEffect, useEffectEvent } from 'react'
import type { ChatId } from '@/lib/events'
import { type MessagePlace, useApp } from './app-context'

/** Goes to a message of this chat when it is opened from elsewhere on the page; `false` leaves that to a fresh page. */
export function useOpenMessage(chatId: ChatId, open: (place: MessagePlace) => boolean): void {
  const { answerFor } = useApp()
  const go = useEffectEvent(open)

  useEffect(() => answerFor(chatId, (place) => go(place)), [chatId, answerFor])
}
