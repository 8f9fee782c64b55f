'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

interface DrawnLaterProps {
  /** there from the start */
  standIn: ReactNode
  children: ReactNode
}

/**
 * Draws its children when they come into sight, one element per frame: the page
 * answers with any amount to draw. Content below the top of the view keeps its place.
 */
export function DrawnLater({ standIn, children }: DrawnLaterProps) {
  const place = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(false)

  useEffect(() => {
    const element = place.current
    if (!element || drawn) return
    let leave: (() => void) | null = null
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      leave = inTurn(() => keepingPlace(element, () => flushSync(() => setDrawn(true))))
    })
    seen.observe(element)
    return () => {
      seen.disconnect()
      leave?.()
    }
  }, [drawn])

  return (
    <div ref={place} data-drawn-later={drawn ? undefined : ''}>
      {drawn ? children : standIn}
    </div>
  )
}

const waiting: (() => void)[] = []

/** Calls back in a frame of its own, after earlier calls; returns a function that leaves the queue. */
function inTurn(draw: () => void): () => void {
  waiting.push(draw)
  if (waiting.length === 1) requestAnimationFrame(afterPaint)
  return () => {
    const at = waiting.indexOf(draw)
    if (at >= 0) waiting.splice(at, 1)
  }
}

const afterPaint = () => setTimeout(drawNext)

function drawNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) requestAnimationFrame(afterPaint)
}

/** Changes an element's height without moving the text in view when the element begins above it. */
export function keepingPlace(element: HTMLElement, change: () => void): void {
  const scroller = scrollerOf(element)
  const isAbove = scroller && element.getBoundingClientRect().top < scroller.getBoundingClientRect().top
  const before = element.offsetHeight
  change()
  if (isAbove) scroller.scrollTop += element.offsetHeight - before
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  let parent = element.parentElement
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
  return parent
}
