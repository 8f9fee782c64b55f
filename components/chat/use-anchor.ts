'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Keeps what the reader looks at in place while older messages are put above it. `first` names the first row. */
export function useAnchor(scroller: RefObject<HTMLElement | null>, first: string | undefined): void {
  const before = useRef<{ first: string | undefined; fromEnd: number }>({ first, fromEnd: 0 })

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const known = before.current.first
    const stillThere = known && element.querySelector(`[data-message-id="${CSS.escape(known)}"]`)
    if (first !== known && stillThere) element.scrollTop = element.scrollHeight - before.current.fromEnd
    before.current.first = first
    const remember = () => {
      before.current.fromEnd = element.scrollHeight - element.scrollTop
    }
    remember()
    element.addEventListener('scroll', remember, { passive: true })
    return () => element.removeEventListener('scroll', remember)
  }, [scroller, first])
}
