'use client'

import { type TouchEvent, useRef } from 'react'

/** A swipe goes at least this far, in pixels, in at most this time, and more across than down. */
const least = 56
const longest = 700

/** Handlers for an element that is swiped sideways. A swipe over something that scrolls sideways is left alone. */
export function useSwipe(onSwipe: (to: 'left' | 'right') => void) {
  const from = useRef<{ x: number; y: number; at: number } | null>(null)
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches[0]
      const alone = event.touches.length === 1 && !scrollsSideways(event.target, event.currentTarget)
      from.current = touch && alone ? { x: touch.clientX, y: touch.clientY, at: event.timeStamp } : null
    },
    onTouchEnd: (event: TouchEvent) => {
      const begun = from.current
      const touch = event.changedTouches[0]
      from.current = null
      if (!begun || !touch || event.timeStamp - begun.at > longest) return
      const across = touch.clientX - begun.x
      const down = touch.clientY - begun.y
      if (Math.abs(across) >= least && Math.abs(across) > 1.8 * Math.abs(down)) {
        onSwipe(across < 0 ? 'left' : 'right')
      }
    },
    onTouchCancel: () => {
      from.current = null
    },
  }
}

function scrollsSideways(target: EventTarget, frame: Element): boolean {
  for (let at = target instanceof Element ? target : null; at && at !== frame; at = at.parentElement) {
    if (at.matches('input, textarea, select')) return true
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true
  }
  return false
}
