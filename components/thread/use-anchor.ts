'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps what the reader looks at in place while older messages, or place holders for them, are put above it.
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
    const stillThere = known && element.querySelector(`[data-message-id="${CSS.escape(known)}"]`)
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
