'use client'

import { type Dispatch, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import type { Api } from '@/components/app/api'
import { useApp } from '@/components/app/app-context'
import { isGone, isOffline } from '@/components/app/problem'
import type { ChatId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { type ChatAction, type ChatSession, isAwaited } from './chat-session'
import { readSince } from './read-chat'

export interface LiveDeps {
  api: Api
  chatId: ChatId
  /** the log position the page knows */
  readTo(): number
  /** every write since `readTo` */
  onDelta(delta: GraphDelta): void
  /** the chat is deleted, or no longer this visitor's */
  onGone(): void
  /** the server has been silent for longer than a moment, or is heard again */
  onLost(lost: boolean): void
  /** something is being written that a person waits for, also while the page is out of sight */
  isAwaited(): boolean
}

/** The pauses before each new try, in ms; the last one repeats. */
const patience = [250, 1000, 2000, 4000, 8000, 15_000] as const
/** A connection lost for no longer than this is not worth a word, in ms. */
const moment = 3000
/** Time that a page out of sight stays connected, in ms: all tabs of a site share six connections. */
const unseen = 5000

/**
 * Hears every write to a chat until the returned function is called. A broken connection is made again from where the
 * page then is; after a refused one an ordinary request finds out why.
 */
export function openLive(deps: LiveDeps): () => void {
  const { api, chatId, readTo, onDelta, onGone, onLost } = deps
  const ended = new AbortController()
  const { signal } = ended
  let source: EventSource | null = null
  let asking = false
  let tries = 0
  let lost = false
  // a tab opened in the background connects when it is first seen
  let paused = document.hidden && !deps.isAwaited()
  const timers: Partial<Record<'retry' | 'doubt' | 'unseen', ReturnType<typeof setTimeout>>> = {}

  const stopTimer = (name: keyof typeof timers) => {
    clearTimeout(timers[name])
    delete timers[name]
  }
  const hangUp = () => {
    source?.close()
    source = null
    stopTimer('retry')
  }
  const say = (now: boolean) => {
    stopTimer('doubt')
    if (lost !== now) onLost(now)
    lost = now
  }
  /** Tries again later; a page that knows it is offline waits for the network. */
  const later = (attempt: () => void) => {
    if (paused) return
    if (isOffline()) return say(true)
    timers.doubt ??= setTimeout(() => say(true), moment)
    const wait = patience[Math.min(tries++, patience.length - 1)] ?? 0
    // a server that restarts is not asked by all pages at once
    timers.retry = setTimeout(attempt, wait * (0.75 + Math.random() / 2))
  }

  const connect = () => {
    hangUp()
    const query = new URLSearchParams({ chat: chatId, since: String(readTo()) })
    const own = new EventSource(`/api/live?${query}`)
    source = own
    let opened = false
    own.addEventListener('open', () => {
      opened = true
      say(false)
    })
    own.addEventListener('delta', ({ data }) => {
      tries = 0
      onDelta(JSON.parse(data) as GraphDelta)
    })
    own.addEventListener('gone', () => {
      hangUp()
      void ask()
    })
    own.addEventListener('error', () => {
      // the event source by itself would ask for what the page has read by now
      hangUp()
      later(opened ? connect : () => void ask())
    })
  }

  /** Catches up by an ordinary request, then listens again. */
  const ask = async () => {
    if (asking) return
    hangUp()
    asking = true
    try {
      const delta = await readSince(api, chatId, readTo(), signal)
      asking = false
      if (signal.aborted) return
      onDelta(delta)
      say(false)
      if (!paused) connect()
    } catch (error) {
      asking = false
      if (signal.aborted) return
      if (!isGone(error)) return later(() => void ask())
      end()
      onGone()
    }
  }

  const pause = () => {
    if (deps.isAwaited()) {
      timers.unseen = setTimeout(pause, unseen)
      return
    }
    paused = true
    hangUp()
    stopTimer('doubt')
  }
  const onVisibility = () => {
    stopTimer('unseen')
    if (document.hidden) {
      timers.unseen = setTimeout(pause, unseen)
      return
    }
    paused = false
    if (source || asking) return
    tries = 0
    connect()
  }
  const onNetwork = () => {
    tries = 0
    if (!paused) void ask()
  }
  const end = () => {
    ended.abort()
    hangUp()
    for (const name of Object.keys(timers) as (keyof typeof timers)[]) stopTimer(name)
  }

  document.addEventListener('visibilitychange', onVisibility, { signal })
  // both ways: only a request shows whether the server is reached
  addEventListener('online', onNetwork, { signal })
  addEventListener('offline', onNetwork, { signal })
  if (!paused) connect()
  return end
}

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
  const awaited = useEffectEvent(() => isAwaited(state))
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
      isAwaited: () => awaited(),
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
