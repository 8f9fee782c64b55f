'use client'

import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type Tour, useApp } from '@/components/app/app-context'
import { useTakenOver } from '@/components/app/use-taken-over'
import { headOf } from '@/components/session/chat-session'
import { messagesUrl, useLoaded } from '@/components/session/read-chat'
import { threadRows } from '@/components/session/thread-rows'
import type { ThreadView, useChatSession } from '@/components/session/use-chat-session'
import { useMediaQuery } from '@/components/ui/use-media-query'
import { useOnChange } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import { indexGraph } from '@/lib/graph/graph-index'
import type { ThreadWindow } from '@/lib/protocol'
import { loadExplorer } from '../graph-panel'
import type { useGraphMode } from '../workspace-layout'

type Session = ReturnType<typeof useChatSession>

/** A branch is read whole. */
const whole = 200

interface Place {
  stop: number
  frame: number
}

/**
 * The tour through a chat: its view, its controls, and the message it ends with. Anything a person does ends it, and
 * does what it always does; the whole chat is there.
 */
export function useTour({ state, dispatch, thread }: Session, place: ReturnType<typeof useGraphMode>) {
  const { tour, endTour } = useApp()
  const still = useMediaQuery('(prefers-reduced-motion: reduce)')
  const [at, setAt] = useState<Place>({ stop: 0, frame: 0 })
  const [isPaused, setPaused] = useState(false)
  const [endedAt, setEndedAt] = useState<MessageId | null>(null)
  const { index, bodies } = state
  const { chatId } = index.graph
  const on: Tour | null = tour?.chatId === chatId ? tour : null
  const script = useMemo(() => on?.scriptOf(index) ?? null, [on, index])
  const stop = script?.stops[at.stop]
  const frame = stop?.frames[still ? stop.frames.length - 1 : at.frame]

  const position = frame?.position
  const then = useMemo(
    () => (script && position !== undefined ? indexGraph(script.timeline.graphAt(position)) : null),
    [script, position],
  )
  const shown = then && frame ? { index: then, branchId: frame.branchId, graph: then.graph } : null
  const headId = shown ? headOf(shown.index, shown.branchId) : null
  const asks = headId !== null && shown?.index.byId(headId)?.role === 'user'
  const rows = shown && threadRows(shown.index, bodies, headId, { floor: 0, ceiling: null })
  useLoaded<ThreadWindow>(
    rows?.missing && shown ? messagesUrl(chatId, shown.branchId, whole, whole) : null,
    ({ messages }) => dispatch({ type: 'bodies', bodies: messages }),
  )

  /** The last thing the person said on the branch that the chat opens on. */
  const finish = () => {
    endTour()
    setEndedAt(
      index.chainTo(headOf(index, state.branchId) ?? '').findLast(({ role }) => role === 'user')?.id ?? null,
    )
    if (place.phone) place.setTab('thread')
  }
  const goOn = () => {
    if (stop && !still && at.frame + 1 < stop.frames.length) setAt({ stop: at.stop, frame: at.frame + 1 })
    else if (script && at.stop + 1 < script.stops.length) setAt({ stop: at.stop + 1, frame: 0 })
    else finish()
  }

  const next = useEffectEvent(goOn)
  const plays = frame !== undefined && !isPaused && !still
  useOnChange([plays, at], () => {
    if (!plays) return
    const timer = setTimeout(() => next(), frame.ms)
    return () => clearTimeout(timer)
  })

  const isOn = frame !== undefined
  useEffect(() => {
    // a phone shows the graph after the thread; it loads its code again where that fails
    if (isOn) loadExplorer().catch(() => undefined)
  }, [isOn])
  useOnChange([isOn, at.stop], () => {
    if (!isOn) return
    if (!place.phone) place.showGraph()
    else place.setTab(at.stop === 0 ? 'thread' : 'graph')
  })

  useTakenOver(isOn, '[data-tour]', endTour)

  const view: ThreadView | null = shown &&
    rows && {
      ...thread,
      ...rows,
      path: shown.branchId,
      loadingAt: rows.rows.length === 0 ? 0 : null,
      // a question of then is answered in the next frame: nothing is missing
      head: headId === null || asks ? null : (shown.index.byId(headId) ?? null),
      failure: null,
      turn: null,
    }
  return {
    shown: shown && view && { ...shown, view },
    bar: stop &&
      script && {
        caption: stop.caption,
        done: (at.stop + (still ? 1 : at.frame / stop.frames.length)) / script.stops.length,
        /** null where the tour does not play itself */
        isPaused: still ? null : isPaused,
        onPause: () => setPaused(!isPaused),
        onNext: goOn,
        onSkip: finish,
      },
    /** the message that a person is asked to edit */
    endedAt,
    onEnded: () => setEndedAt(null),
  }
}

export type TourBarProps = NonNullable<ReturnType<typeof useTour>['bar']>
