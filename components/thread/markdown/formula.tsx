'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { withoutCode } from '@/components/app/new-version'
import { shared } from '@/components/app/shared'
import { cn } from '@/components/ui/cn'
import type { Formula as Written } from './formulas'
import { useScrolls } from './use-scrolls'

type Draw = typeof import('./katex').drawFormula

/** Kept once it is there: a formula that is drawn anew, as when its reply is stored, takes its room at once. */
let loaded: Draw | undefined

const loadKatex = shared(async () => {
  loaded = (await import('./katex').catch(withoutCode)).drawFormula
  return loaded
})

/** A formula of a reply: its source until KaTeX has come, and where KaTeX cannot read it. Copying it copies the source. */
export function Formula({ tex, display, source }: Written) {
  const box = useRef<HTMLSpanElement>(null)
  const place = useRef<HTMLSpanElement>(null)
  const scrolls = useScrolls(box)
  const [draw, setDraw] = useState(() => loaded)
  const [drawn, setDrawn] = useState<string | null>(null)
  const [tooWide, setTooWide] = useState(false)

  useEffect(() => {
    if (draw) return
    let gone = false
    const take = (come: Draw) => {
      if (!gone) setDraw(() => come)
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
      draw(tex, element, display)
    } catch {
      // a formula that KaTeX cannot read stays source
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
