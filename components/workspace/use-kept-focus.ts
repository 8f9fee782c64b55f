'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Gives the focus back to what had it within an element when that went out of sight, unless it is elsewhere by then. */
export function useKeptFocus(shown: boolean): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null)
  const kept = useRef<HTMLElement | null>(null)

  useLayoutEffect(() => {
    const { activeElement, body } = document
    if (!shown) {
      // the browser takes the focus away only when it next draws
      const within = activeElement instanceof HTMLElement && frame.current?.contains(activeElement)
      kept.current = within ? activeElement : null
      return
    }
    if (kept.current?.isConnected && activeElement === body) kept.current.focus({ preventScroll: true })
    kept.current = null
  }, [shown])

  return frame
}
