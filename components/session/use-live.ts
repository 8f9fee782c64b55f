'use client'

import { type Dispatch, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useApp } from '@/components/app/app-context'
import { isOffline } from '@/components/app/is-offline'
import type { ChatAction, ChatSession } from './chat-session'
import { openLive } from './live-connection'

/**
 * Takes in the writes of other tabs, devices and scripts. Answers whether the server is out of reach, and whether the
 * chat is gone. A chat that is not stored yet is watched from its first message on.
 */
export function useLive(state: ChatSession, dispatch: Dispatch<ChatAction>) {
  const { api, forgetChat } = useApp()
  const { chatId } = state.index.graph
  const { unsaved } = state
  const [lost, setLost] = useState(false)
  const [gone, setGone] = useState(false)
  const offline = useSyncExternalStore(onNetwork, isOffline, () => false)

  const readTo = useEffectEvent(() => state.readTo)
  const leave = useEffectEvent(() => {
    setGone(true)
    forgetChat(chatId)
  })

  useEffect(() => {
    if (unsaved) return
    return openLive({
      api,
      chatId,
      readTo: () => readTo(),
      onDelta: (delta) => dispatch({ type: 'delta', complete: true, delta }),
      onGone: () => leave(),
      onLost: setLost,
    })
  }, [api, chatId, unsaved, dispatch])

  return { offline: offline || lost, gone }
}

function onNetwork(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
