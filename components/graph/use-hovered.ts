'use client'

import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { MessageId } from '@/lib/events'

const delay = 450

/** The message the pointer rests on, or that has the focus by keyboard: handlers for whatever holds the cards. */
export function useHovered() {
  const [hovered, setHovered] = useState<MessageId | null>(null)
  const timer = useRef<number>(undefined)

  const rest = (id: MessageId | null) => {
    window.clearTimeout(timer.current)
    if (id === null) setHovered(null)
    else timer.current = window.setTimeout(() => setHovered(id), delay)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])

  return {
    hovered,
    leave: () => rest(null),
    handlers: {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') rest(messageAt(event.target))
      },
      onPointerDown: () => rest(null),
      onPointerLeave: () => rest(null),
      onFocus: (event: FocusEvent) => {
        if (event.target.matches(':focus-visible')) rest(messageAt(event.target))
      },
      onBlur: () => rest(null),
    },
  }
}

const messageAt = (target: EventTarget): MessageId | null =>
  target instanceof Element
    ? (target.closest('[data-graph-node]')?.getAttribute('data-graph-node') ?? null)
    : null
