'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Size } from '../model/geometry'

/** The size an element has when it is first seen; null before that, and while it is hidden. Later sizes are not told. */
export function useSize(): [RefObject<HTMLDivElement | null>, Size | null] {
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0 && height > 0) setSize((known) => known ?? { width, height })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [frame, size]
}
