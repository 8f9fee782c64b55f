'use client'

import { Slider } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'

interface TimeSliderProps {
  /** from 1 */
  position: number
  length: number
  /** what the position means */
  words: string
  /** whoever has just opened it goes on with the keys */
  takesFocus: boolean
  onGo(position: number): void
}

/** The positions of a history as one line. Arrows step, Page keys take ten, Home and End go all the way. */
export function TimeSlider({ position, length, words, takesFocus, onGo }: TimeSliderProps) {
  const thumb = useRef<HTMLSpanElement>(null)
  // Radix hides a thumb until it has counted its thumbs, one render later
  const [isShown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  useEffect(() => {
    if (isShown && takesFocus) thumb.current?.focus({ preventScroll: true })
  }, [isShown, takesFocus])
  return (
    <Slider.Root
      min={1}
      max={Math.max(length, 1)}
      value={[position]}
      onValueChange={([to = position]) => onGo(to)}
      className="relative flex h-7 min-w-0 flex-1 cursor-pointer touch-none select-none items-center touch:h-11"
    >
      <Slider.Track className="relative h-1 flex-1 overflow-hidden rounded-full bg-line-strong/60">
        <Slider.Range className="absolute h-full bg-accent" />
      </Slider.Track>
      <Slider.Thumb
        ref={thumb}
        aria-label="History"
        aria-valuetext={words}
        className="grid size-7 place-items-center rounded-full after:size-3.5 after:rounded-full after:border-2 after:border-accent after:bg-canvas after:content-[''] hover:after:bg-accent-soft touch:size-11 touch:after:size-5"
      />
    </Slider.Root>
  )
}
