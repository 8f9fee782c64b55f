'use client'

import { type RefObject, startTransition, useRef } from 'react'
import { flushSync } from 'react-dom'
import { messagePath } from '@/components/app/paths'
import type { useChatSession } from '@/components/session/use-chat-session'
import type { ThreadHandle } from '@/components/thread/thread'
import { useArrival, useOpenMessage } from '@/components/thread/use-arrival'
import type { MessageId } from '@/lib/events'
import type { useGraphHint } from './first-minute/graph-hint'
import type { useGraphMode } from './workspace-layout'

type Session = ReturnType<typeof useChatSession>
type BranchFrom = Session['moves']['branchFrom']

interface Where {
  session: Session
  place: ReturnType<typeof useGraphMode>
  hint: ReturnType<typeof useGraphHint>
  thread: RefObject<ThreadHandle | null>
  box: RefObject<HTMLTextAreaElement | null>
}

/** Ways of a reader through a chat: to a message, to another branch, into the past, and back to where they stood. */
export function useReading({ session, place, hint, thread, box }: Where) {
  const { state, dispatch, moves } = session
  const { head } = session.thread
  const { index, branchId } = state
  const { graph } = index
  const arriveAt = useArrival(state, dispatch, session.thread.rows, thread, place.threadShown)
  /** the reader's place before a message was opened: a double click opens it twice, and leads back as a whole */
  const stood = useRef<{ before: MessageId; at: MessageId | null } | null>(null)

  const open = (id: MessageId, block?: ScrollLogicalPosition, focus?: boolean) => {
    hint.done()
    if (stood.current?.before !== id) stood.current = { before: id, at: thread.current?.stands() ?? null }
    moves.open(id)
    dispatch({ type: 'select', id })
    // a reply that is being written is the end of its branch
    if (!index.byId(id)) {
      dispatch({ type: 'end' })
      return thread.current?.toBottom()
    }
    // the graph shows the pick at once; the thread may have far to go
    startTransition(() => arriveAt(id, block, focus))
  }
  const switchTo = (id: string) => {
    moves.switchTo(id)
    thread.current?.toBottom()
  }
  const branchFrom = async (id: MessageId, from?: Parameters<BranchFrom>[1]) => {
    // only a stored message can be branched from
    if (!index.byId(id)) return false
    hint.done()
    const branched = await moves.branchFrom(id, from)
    if (branched) {
      // a box that is out of sight takes no focus
      flushSync(place.showThread)
      thread.current?.toBottom()
      box.current?.focus()
    }
    return branched !== null
  }
  /** Brings back the messages that were in sight when a move was made. */
  const backTo = (at: MessageId | null) => () => {
    if (at === null) thread.current?.toBottom()
    else arriveAt(at, 'start')
  }

  const arriving = session.whole?.loading ?? false
  useOpenMessage(graph.chatId, arriving, (to) => {
    if (!index.byId(to.messageId)) return false
    const isHere = index.isOnChain(to.messageId, head?.id ?? null)
    const branch = isHere && index.branch(branchId)
    history.pushState(null, '', messagePath(branch ? { ...to, branch } : to))
    // the branch being read stays, where it holds the message
    if (to.branch && !isHere) moves.switchTo(to.branch.id)
    dispatch({ type: 'select', id: to.messageId })
    place.showThread()
    arriveAt(to.messageId, 'start', true)
    return true
  })

  return {
    open,
    /** opens a message, and shows the thread where the graph is before it */
    openMessage(id: MessageId) {
      open(id)
      place.showThread()
    },
    switchTo,
    branchFrom,
    /** as `branchFrom` for a message that the graph has opened: back is where the reader stood before that */
    branchFromOpened(id: MessageId, cameFrom: NonNullable<Parameters<BranchFrom>[1]>['cameFrom']) {
      const onBack = stood.current?.before === id ? backTo(stood.current.at) : undefined
      stood.current = null
      return branchFrom(id, { cameFrom, onBack })
    },
    /** Goes where a move of the past was made: to its branch, and to its message if that has stayed. */
    goTo(to: string | undefined, messageId: MessageId | undefined) {
      const holds = messageId !== undefined && index.isOnChain(messageId, head?.id ?? null)
      if (to !== undefined && index.branch(to) && !(holds && to === branchId)) moves.switchTo(to)
      else if (messageId !== undefined) moves.open(messageId)
      place.showThread()
      if (messageId === undefined || !index.byId(messageId)) return thread.current?.toBottom()
      dispatch({ type: 'select', id: messageId })
      arriveAt(messageId, 'start', true)
    },
    /** Shows a message of the past, on this page alone and until the look is over. */
    look(id: MessageId, andRead: boolean) {
      const holder = index.branchHolding(id, branchId)
      const reads = holder?.archivedAt === null
      if (reads) dispatch({ type: 'look', branchId: holder.id })
      dispatch({ type: 'select', id })
      if (reads) arriveAt(id)
      if (reads && andRead) place.showThread()
    },
  }
}
