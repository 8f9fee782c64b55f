'use client'

import { type Dispatch, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type MessagePlace, useApp } from '@/components/app/app-context'
import { type ChatAction, type ChatSession, headOf } from '@/components/session/chat-session'
import type { ThreadRows } from '@/components/session/thread-rows'
import { useOnChange } from '@/components/ui/use-on-change'
import type { ChatId, MessageId } from '@/lib/events'
import type { ThreadHandle } from './thread'

interface Goal {
  id: MessageId
  block: ScrollLogicalPosition
  /** a reader who comes from elsewhere reads on from there */
  focus: boolean
}

/** Brings a message into view as soon as it is on the page; loads up to it where needed. */
export function useArrival(
  { index, branchId, floor, ceiling }: ChatSession,
  dispatch: Dispatch<ChatAction>,
  rows: ThreadRows['rows'],
  thread: RefObject<ThreadHandle | null>,
  visible: boolean,
) {
  const [goal, setGoal] = useState<Goal | null>(null)

  useOnChange([goal, rows, visible, branchId], () => {
    if (!goal || !visible) return
    const node = index.byId(goal.id)
    if (!node || !index.isOnChain(goal.id, headOf(index, branchId))) return
    const isShown = node.depth >= floor && (ceiling === null || node.depth <= ceiling)
    if (!isShown) dispatch({ type: 'around', depth: node.depth })
    else if (thread.current?.show(goal.id, goal.block, goal.focus)) setGoal(null)
  })

  // a reader who has gone elsewhere meanwhile is not taken there later
  useOnChange([branchId], () => {
    if (goal && !index.isOnChain(goal.id, headOf(index, branchId))) setGoal(null)
  })

  const begin = useEffectEvent((id: MessageId) => {
    const holder = index.branchHolding(id, branchId)
    if (holder && holder.id !== branchId) dispatch({ type: 'branch', branchId: holder.id })
    if (holder) dispatch({ type: 'select', id })
    setGoal({ id, block: 'start', focus: true })
  })

  // the address may name the message to open at
  useEffect(() => {
    const id = new URLSearchParams(location.search).get('at')
    if (id) begin(id)
  }, [])

  return (id: MessageId, block: ScrollLogicalPosition = 'start', focus = false) =>
    setGoal({ id, block, focus })
}

/**
 * Goes to a message of this chat when it is opened from elsewhere on the page. A message that is not known while the
 * graph is on its way waits for the graph; `false` leaves it to a fresh page.
 *
 * @param arriving true when more of the graph is on its way
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
