'use client'

import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { cn } from '@/components/ui/cn'
import { useStored } from '@/components/ui/stored-value'

interface SplitProps {
  first: ReactNode
  second: ReactNode
  /** a single panel has all the room; the other keeps its state out of sight */
  shown: 'both' | 'first' | 'second'
}

/** The second panel's share of the width, in percent. */
const [initial, min, max] = [42, 30, 70]
/** Distance that a key moves the line, in percent. */
const step = 2

/** The first panel has its final width before the second one has come from the server, so nothing moves then. */
const firsts = {
  both: 'flex w-[calc(100%-var(--share)-1px)] max-sm:flex-1',
  first: 'flex flex-1',
  second: 'hidden',
}
/** The second panel: a phone never shows two squeezed ones, not even before the width is known. */
const seconds = { both: 'w-(--share) shrink-0 max-sm:hidden', second: 'flex-1', first: 'hidden' }

/**
 * Two panels side by side, and a line between them to move: by pointer, by arrow keys, back by a double click. Sized by CSS
 * alone: the server's page has the panels in their final places.
 */
export function Split({ first, second, shown }: SplitProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [stored, setStored] = useStored('ramify-graph-share', String(initial))
  const [dragged, setDragged] = useState<number | null>(null)
  const slides = useSlides(shown)
  const within = (share: number): number => Math.min(max, Math.max(min, share))
  const share = dragged ?? within(Number(stored) || initial)

  const move = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) {
      setDragged(within(((box.right - event.clientX) / box.width) * 100))
    }
  }
  const drop = () => {
    if (dragged !== null) setStored(String(Math.round(dragged * 10) / 10))
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: share + step, ArrowRight: share - step, Home: max, End: min }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setStored(String(within(to)))
  }
  return (
    <div ref={frame} className="flex min-h-0 flex-1" style={{ '--share': `${share}%` } as CSSProperties}>
      <div className={cn('min-w-0 flex-col', firsts[shown])}>{first}</div>
      {shown === 'both' && (
        // biome-ignore lint/a11y/useSemanticElements: a rule between two panels that can be moved is no <hr>
        <div
          role="separator"
          tabIndex={0}
          aria-label="Resize the graph"
          aria-orientation="vertical"
          aria-valuenow={Math.round(share)}
          aria-valuemin={min}
          aria-valuemax={max}
          onPointerDown={(event) => {
            event.preventDefault()
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={move}
          onPointerUp={drop}
          onPointerCancel={() => setDragged(null)}
          onDoubleClick={() => setStored(null)}
          onKeyDown={onKeyDown}
          className="relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line outline-offset-0 transition-colors after:absolute after:inset-y-0 after:-inset-x-1.5 after:content-[''] hover:bg-accent active:bg-accent max-sm:hidden"
        />
      )}
      <div className={cn('relative min-w-0', seconds[shown], slides && 'slide-in')}>{second}</div>
    </div>
  )
}

/** True when the second panel has come in beside the first, which had all the room. */
function useSlides(shown: SplitProps['shown']): boolean {
  const [last, setLast] = useState({ shown, slides: false })
  if (last.shown === shown) return last.slides
  const slides = last.shown === 'first' && shown === 'both'
  setLast({ shown, slides })
  return slides
}
