'use client'

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** How near the end still counts as the end, in px. */
const near = 48

/**
 * Keeps the end of a growing list in sight, until the reader scrolls up.
 *
 * @param isEnd what is last in the list is the end; otherwise more follows, and nobody is kept at the last of what is there
 */
export function useStickToBottom(scroller: RefObject<HTMLElement | null>, isEnd = true) {
  const stuck = useRef(true)
  const end = useRef(isEnd)
  const [atBottom, setAtBottom] = useState(true)

  const toBottom = useCallback(
    (behavior: ScrollBehavior = 'auto') => {
      stuck.current = true
      const element = scroller.current
      element?.scrollTo({ top: element.scrollHeight, behavior })
    },
    [scroller],
  )

  /** Call when the content has grown. */
  const settle = useCallback(() => {
    if (stuck.current) toBottom()
  }, [toBottom])

  const letGo = useCallback(() => {
    stuck.current = false
  }, [])

  useEffect(() => {
    end.current = isEnd
  }, [isEnd])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let before = element.scrollTop
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const isNear = scrollHeight - scrollTop - clientHeight < near
      // Growing content leaves the end behind without a scroll; only the reader moves up.
      if (isNear && end.current) stuck.current = true
      else if (scrollTop < before - 1) stuck.current = false
      before = scrollTop
      setAtBottom(isNear)
    }
    const resized = new ResizeObserver(settle)
    resized.observe(element)
    for (const child of element.children) resized.observe(child)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, settle])

  return { atBottom, toBottom, settle, letGo }
}
