'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { type MessagePlace, useApp } from '@/components/app/app-context'
import type { ChatId } from '@/lib/events'

/**
 * Goes to a message of this chat when it is opened from elsewhere on the page. What is not known while the graph is
 * still on its way is gone to when it is here; `false` leaves it to a fresh page.
 *
 * @param arriving whether there will be more of the graph in a moment
 */
export function useOpenMessage(
  chatId: ChatId,
  arriving: boolean,
  open: (place: MessagePlace) => boolean,
): void {
  const { answerFor } = useApp()
  const [awaited, setAwaited] = useState<MessagePlace | null>(null)

  const go = useEffectEvent((place: MessagePlace): boolean => {
    const isOpen = open(place)
    setAwaited(isOpen || !arriving ? null : place)
    return isOpen || arriving
  })

  useEffect(() => answerFor(chatId, (place) => go(place)), [chatId, answerFor])

  useEffect(() => {
    if (awaited && !arriving) go(awaited)
  }, [awaited, arriving])
}
