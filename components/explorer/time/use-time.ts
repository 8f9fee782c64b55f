'use client'

import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { keysOf } from '@/components/actions/action'
import { closeHistory } from '@/components/actions/on-graph'
import { keyName } from '@/components/app/use-keys'
import type { MessageId } from '@/lib/events'
import { Timeline } from '@/lib/graph'
import type { GraphModel } from '../model/graph-model'
import type { TimeTravel } from '../model/graph-props'

/**
 * The time at which the graph is shown: its timeline while it is open, opening and leaving it, branching from it.
 *
 * @param clock the button that opens it
 */
export function useTime(
  live: GraphModel,
  travel: TimeTravel | undefined,
  clock: RefObject<HTMLButtonElement | null>,
) {
  const isOpen = travel?.isOpen ?? false
  const history = travel?.history ?? null
  const timeline = useMemo(
    () => (isOpen && history ? new Timeline(live.index, history.movements) : null),
    [isOpen, history, live.index],
  )
  const position = timeline ? (travel?.position ?? null) : null
  // the thumb moves at once, the drawing follows
  const shown = useDeferredValue(position)
  const cameFrom = useRef<Element | null>(null)
  const wantsBack = useRef(false)
  // before the line of time takes the focus
  useLayoutEffect(() => {
    if (isOpen) cameFrom.current = document.activeElement
  }, [isOpen])

  // a message that was not there in the past is drawn anew before it can take the focus
  useEffect(() => {
    if (isOpen || !wantsBack.current) return
    wantsBack.current = false
    const back = drawnNow(cameFrom.current, clock.current) ?? clock.current
    back?.focus({ preventScroll: true })
  }, [isOpen, clock])

  const leave = () => {
    wantsBack.current = true
    travel?.onOpen(false)
  }
  const on = { isOpen, isPast: position !== null, leave, toNow: () => travel?.onGo(null) }

  const reading = timeline && position !== null ? timeline.readingAt(position) : live.branchId
  const branchFrom = async (id: MessageId) => {
    if (await travel?.onBranchFrom(id, reading)) travel?.onOpen(false)
  }
  const headThen = position === null ? null : timeline?.refsAt(position).branches.get(reading)?.headId
  return {
    timeline,
    /** the position of the thumb, and the position that is drawn; null for now */
    position,
    shown,
    on,
    branchFrom,
    /** branches from the head of that time; undefined where the branch was empty */
    branchFromHead: headThen ? () => void branchFrom(headThen) : undefined,
    /** for keys that nothing inside has handled */
    onKeyDown(event: KeyboardEvent) {
      const { target, currentTarget } = event
      if (!travel || !(target instanceof Element) || !currentTarget.contains(target)) return
      if (target.closest('input, [role="toolbar"]')) return
      const press = keysOf([closeHistory], on)[keyName(event)]
      if (press && press(event.nativeEvent) !== false) event.preventDefault()
    },
  }
}

/** An element, or the item that took its place in the graph around `near`. */
function drawnNow(element: Element | null, near: Element | null): HTMLElement | null {
  const id = element?.getAttribute('data-item')
  if (typeof id === 'string') {
    return near?.closest('section')?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null
  }
  return element instanceof HTMLElement && element.isConnected ? element : null
}

export type Time = ReturnType<typeof useTime>
