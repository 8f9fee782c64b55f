'use client'

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useIsCodeFenceIncomplete } from 'streamdown'
import { Button } from '@/components/ui/button'
import { useOnChange } from '@/components/ui/use-on-change'
import { useTheme } from '@/components/ui/use-theme'
import { CodeBlock } from './code-block'
import { drawDiagram, isLarge, type Picture, pictureOf } from './draw-diagram'
import { keepingPlace } from './drawn-later'

/** Result of drawing: nothing yet, a picture, or why there is none. */
type Drawing = Picture | 'no diagram' | 'not fetched' | null

const drawingOf = (source: string): Drawing => {
  const known = typeof document === 'undefined' ? undefined : pictureOf(source)
  return known === null ? 'no diagram' : (known ?? null)
}

const complaints = {
  'no diagram': 'This is not a diagram Mermaid can draw, so here is its source.',
  'not fetched': 'The diagram could not be drawn: the code for it did not load.',
}

/** A Mermaid fence: drawn when it comes into sight, its source one click away. A large one waits for a click. */
export function Diagram({ source }: { source: string }) {
  const isGrowing = useIsCodeFenceIncomplete()
  const { shown: theme } = useTheme()
  const place = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState(() => drawingOf(source))
  const [asked, setAsked] = useState(!isLarge(source))
  const [asSource, setAsSource] = useState(false)
  const [tries, setTries] = useState(0)

  useOnChange([source, theme, isGrowing, asked, tries], () => {
    const element = place.current
    if (!element || isGrowing || !asked) return
    let gone = false
    const show = (next: Drawing) => !gone && keepingPlace(element, () => flushSync(() => setDrawing(next)))
    const draw = () => {
      drawDiagram(source).then(
        (picture) => show(picture ?? 'no diagram'),
        () => show('not fetched'),
      )
    }
    const known = drawingOf(source)
    if (known) {
      setDrawing(known)
      return
    }
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      draw()
    })
    seen.observe(element)
    return () => {
      gone = true
      seen.disconnect()
    }
  })

  const picture = typeof drawing === 'object' && !isGrowing ? drawing : null
  const complaint = typeof drawing === 'string' && !isGrowing ? complaints[drawing] : undefined
  const button = (label: string, onClick: () => void) => (
    <Button look="quiet" size="sm" onClick={onClick}>
      {label}
    </Button>
  )
  const again = () => {
    setDrawing(null)
    setTries(tries + 1)
  }
  const toolOf = () => {
    if (picture) return button(asSource ? 'Show diagram' : 'Show source', () => setAsSource(!asSource))
    if (isGrowing) return null
    if (drawing === 'not fetched') return button('Try again', again)
    return asked ? null : button('Draw diagram', () => setAsked(true))
  }
  return (
    <div ref={place}>
      <CodeBlock code={source} language="mermaid" note={complaint} tools={toolOf()}>
        {picture && !asSource && <Drawn picture={picture} />}
      </CodeBlock>
    </div>
  )
}

/** Its text of 14 px is never smaller than 12. */
const smallest = 12 / 14

/** The picture as wide as the column, or nearly: a wider one scrolls in its box. */
function Drawn({ picture: { url, width, height } }: { picture: Picture }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label="Diagram" className="max-h-[40rem] overflow-auto bg-canvas p-3">
      {/* biome-ignore lint/performance/noImgElement: the picture is in its address */}
      <img
        src={url}
        alt="The diagram this source describes"
        width={width}
        height={height}
        style={{ minWidth: Math.round(width * smallest) }}
        className="mx-auto h-auto rounded-none"
      />
    </section>
  )
}
