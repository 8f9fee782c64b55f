'use client'

import { type RefObject, useEffect, useState } from 'react'

/** True when a box is too narrow for its content, and scrolls sideways: it must be reached by keyboard then. */
export function useScrolls(box: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const resized = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth + 1))
    for (const part of [element, ...element.children]) resized.observe(part)
    return () => resized.disconnect()
  }, [box])

  return scrolls
}
