'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { useApp } from '@/components/app/app-context'
import { type ChatSession, endOf, isAwaited } from './chat-session'

/** Reads the news of the chat on the page when it is looked at, and makes news of what ends while it is not. */
export function useChatNews(state: ChatSession): void {
  const { news } = useApp()
  const { tell, read, watch } = news
  const { graph } = state.index
  const { chatId } = graph
  const busy = !state.unsaved && isAwaited(state)

  useEffect(() => {
    const look = () => {
      if (!document.hidden) read(chatId)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [chatId, read])

  const ended = useEffectEvent(() => {
    if (document.hidden) tell(chatId, endOf(graph))
  })
  const wasBusy = useRef(busy)
  useEffect(() => {
    if (wasBusy.current && !busy) ended()
    wasBusy.current = busy
  }, [busy])

  const leave = useEffectEvent(() => {
    if (busy) watch(graph)
  })
  useEffect(() => () => leave(), [])
}
