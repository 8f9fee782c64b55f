'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { shared } from '@/components/app/shared'
import { cn } from '@/components/ui/cn'
import type { Formula as Written } from './formulas'
import { useScrolls } from './use-scrolls'

type Render = typeof import('./katex').render

/** Kept once it is there: a formula that is drawn anew, as when its reply is stored, takes its room at once. */
let render: Render | undefined

const loadKatex = shared(async () => {
  render = (await import('./katex')).render
  return render
})

/** A formula of a reply: its source until KaTeX has come, and where KaTeX cannot read it. Copying it copies the source. */
export function Formula({ tex, display, source }: Written) {
  const box = useRef<HTMLSpanElement>(null)
  const place = useRef<HTMLSpanElement>(null)
  const scrolls = useScrolls(box)
  const [draw, setDraw] = useState(() => render)
  const [drawn, setDrawn] = useState<string | null>(null)
  const [tooWide, setTooWide] = useState(false)

  useEffect(() => {
    if (draw) return
    let gone = false
    const take = (loaded: Render) => {
      if (!gone) setDraw(() => loaded)
    }
    // without KaTeX the source reads as well as any text
    loadKatex().then(take, () => undefined)
    return () => {
      gone = true
    }
  }, [draw])

  useLayoutEffect(() => {
    const element = place.current
    if (!draw || !element) return
    try {
      draw(tex, element, { displayMode: display, maxSize: 20, maxExpand: 200, strict: 'ignore' })
    } catch {
      // what KaTeX cannot read stays source
      setDrawn(null)
      return
    }
    element.hidden = false
    const room = element.closest('.reading')?.clientWidth ?? Number.POSITIVE_INFINITY
    setTooWide(element.getBoundingClientRect().width > room)
    setDrawn(tex)
  }, [draw, tex, display])

  const isDrawn = drawn === tex
  return (
    <span
      ref={box}
      dir="ltr"
      className={cn('formula', isDrawn && (display || tooWide) && 'formula-display')}
      {...(scrolls && isDrawn && { role: 'region', 'aria-label': 'Formula', tabIndex: 0 })}
    >
      <span ref={place} hidden={!isDrawn} className="select-none" />
      <span aria-hidden={isDrawn} className={isDrawn ? 'sr-only' : 'formula-source'}>
        {source}
      </span>
    </span>
  )
}
