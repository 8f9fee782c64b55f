'use client'

import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { ItemId } from '@/lib/graph'

const delay = 450

/** The item under a resting pointer or with keyboard focus, and the handlers for the element around the cards. */
export function useHovered(itemAt: (event: PointerEvent | FocusEvent) => ItemId | null) {
  const [hovered, setHovered] = useState<ItemId | null>(null)
  const timer = useRef<number>(undefined)
  const over = useRef<ItemId | null>(null)

  const rest = (id: ItemId | null) => {
    if (id === over.current) return
    over.current = id
    window.clearTimeout(timer.current)
    setHovered(null)
    if (id !== null) timer.current = window.setTimeout(() => setHovered(id), delay)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])

  return {
    hovered,
    leave: () => rest(null),
    handlers: {
      onPointerMove: (event: PointerEvent) => {
        if (event.pointerType === 'mouse' && event.buttons === 0) rest(itemAt(event))
      },
      onPointerDown: () => rest(null),
      onPointerLeave: () => rest(null),
      onFocus: (event: FocusEvent) => {
        if (event.target.matches(':focus-visible')) rest(itemAt(event))
      },
      onBlur: () => rest(null),
    },
  }
}
