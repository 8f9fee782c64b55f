'use client'

import { type FocusEvent, type PointerEvent, type RefObject, useEffect } from 'react'
import { useOnChange } from '@/components/ui/use-on-change'
import type { MessageId } from '@/lib/events'
import { allArticles } from './articles'
import { pointedAt, type Side } from './pointed-at'

/** The handlers of an element full of messages: the one under pointer or focus is lit on the other side too. */
export function pointing(side: Side, idOf: (element: Element) => MessageId | undefined) {
  /** place of the pointer when a key moved the focus: the pointer does not point at messages that scroll under it */
  let rests: string | null = null
  let at = ''
  const point = ({ target }: { target: EventTarget }) =>
    pointedAt.point(side, (target instanceof Element && idOf(target)) || null)
  return {
    onPointerOver(event: PointerEvent) {
      if (event.pointerType !== 'mouse') return
      at = `${event.clientX} ${event.clientY}`
      if (at === rests) return
      rests = null
      point(event)
    },
    onPointerLeave: () => pointedAt.point(side, null),
    // a click shows by itself where it leads
    onFocus(event: FocusEvent) {
      if (!event.target.matches(':focus-visible')) return
      rests = at
      point(event)
    },
    onBlur: () => pointedAt.point(side, null),
  }
}

/** Notes which messages stand in the thread's window, as they come and go. */
export function useReadingMark(scroller: RefObject<HTMLElement | null>, rows: unknown): void {
  useOnChange([scroller, rows], () => {
    const root = scroller.current
    if (!root) return
    const inView = new Set<MessageId>()
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset.messageId ?? ''
          if (isIntersecting) inView.add(id)
          else inView.delete(id)
        }
        pointedAt.show(new Set(inView))
      },
      { root, rootMargin: '-8px 0px' },
    )
    for (const article of allArticles(root)) seen.observe(article)
    return () => seen.disconnect()
  })

  useEffect(
    () => () => {
      pointedAt.show(new Set())
      pointedAt.point('thread', null)
    },
    [],
  )
}
