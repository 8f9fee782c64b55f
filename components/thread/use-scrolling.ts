'use client'

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { articleAt } from '@/components/app/articles'

/**
 * The classes of a list that the server sends: it is laid out from its end, so the first paint shows the end before any
 * script has run.
 */
export const laidFromEnd = 'flex flex-col-reverse'

/** Distance from the end that still counts as the end, in px. */
const near = 48

/**
 * Keeps the end of a growing list in sight, until the reader scrolls up.
 *
 * @param isEnd true when the last of the list is the end; a list with more below does not stick to it
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

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    // a list that is laid out from its end counts its way up in negative numbers
    const fromEnd = -element.scrollTop
    const content = element.firstElementChild
    // a list scrolls by whole pixels: where its height is none, everything would move by a part of one
    if (content instanceof HTMLElement && element.scrollHeight > element.clientHeight) {
      const { height } = content.getBoundingClientRect()
      content.style.marginTop = `${Math.ceil(height) - height}px`
    }
    element.style.display = 'block'
    element.scrollTop = element.scrollHeight - element.clientHeight - fromEnd
    stuck.current = fromEnd < near
  }, [scroller])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let before = element.scrollTop
    const isAtEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight < near
    const onScroll = () => {
      const { scrollTop } = element
      const isNear = isAtEnd()
      // growing content leaves the end behind without a scroll; only the reader moves up
      if (isNear && end.current) stuck.current = true
      else if (scrollTop < before - 1) stuck.current = false
      before = scrollTop
      setAtBottom(isNear)
    }
    // content that grows, shrinks or is replaced moves the end without a scroll
    const resized = new ResizeObserver(() => {
      settle()
      setAtBottom(isAtEnd())
    })
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

/**
 * Keeps the text in view in place while older messages, or place holders for them, appear above it.
 *
 * @param first the first row's message
 */
export function useAnchor(
  scroller: RefObject<HTMLElement | null>,
  first: string | undefined,
  loadingAbove: boolean,
): void {
  const before = useRef({ first, loadingAbove, fromEnd: 0 })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const { first: known, loadingAbove: wasLoading, fromEnd } = before.current
    const stillThere = known && articleAt(known, element)
    const changed = first !== known || loadingAbove !== wasLoading
    if (changed && stillThere) element.scrollTop = element.scrollHeight - fromEnd
    before.current = { first, loadingAbove, fromEnd }
    const remember = () => {
      before.current.fromEnd = element.scrollHeight - element.scrollTop
    }
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [scroller, first, loadingAbove])
}
