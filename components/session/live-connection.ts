import { type Api, getJson } from '@/components/app/api'
import { isOffline } from '@/components/app/is-offline'
import { isGone } from '@/components/app/problem'
import type { ChatId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'

export interface LiveDeps {
  api: Api
  chatId: ChatId
  /** the log position the page knows */
  readTo(): number
  /** everything that was written since `readTo` */
  onDelta(delta: GraphDelta): void
  /** the chat is not there any more, or not this visitor's */
  onGone(): void
  /** the server has not been heard for longer than a moment, or is heard again */
  onLost(lost: boolean): void
}

/** How long to wait before asking again, in ms; from the last on, every time. */
const patience = [250, 1000, 2000, 4000, 8000, 15_000] as const
/** A connection lost for no longer than this is nobody's concern, in ms. */
const moment = 3000
/** How long a page nobody looks at any more stays connected, in ms: all tabs of a site share six connections. */
const unseen = 5000

/**
 * Hears what is written to a chat, by whomever, until the returned function is called. A connection that breaks is made
 * again from where the page then is; one that is refused is asked about by an ordinary request, which knows why.
 */
export function openLive(deps: LiveDeps): () => void {
  const { api, chatId, readTo, onDelta, onGone, onLost } = deps
  const ended = new AbortController()
  const { signal } = ended
  let source: EventSource | null = null
  let asking = false
  let tries = 0
  let lost = false
  // a tab opened in the background waits to be looked at
  let paused = document.hidden
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
  /** Tries again later; a page that knows it is offline waits to be told otherwise. */
  const later = (attempt: () => void) => {
    if (paused) return
    if (isOffline()) return say(true)
    timers.doubt ??= setTimeout(() => say(true), moment)
    const wait = patience[Math.min(tries++, patience.length - 1)] ?? 0
    // servers that restart are not asked by everybody at once
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
      // its own way to go on would ask for what the page has read by now
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
      const url = `/api/chats/${encodeURIComponent(chatId)}/graph?since=${readTo()}`
      const delta = await getJson<GraphDelta>(api, url, signal)
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
  // both ways: whether the server is reached is seen by asking it
  addEventListener('online', onNetwork, { signal })
  addEventListener('offline', onNetwork, { signal })
  if (!paused) connect()
  return end
}
