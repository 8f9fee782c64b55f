'use client'

import { ChevronLeft, ChevronRight, GitBranchPlus, History, X } from 'lucide-react'
import { Slider } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import { returnToNow } from '@/components/actions/on-graph'
import { branchFromHere } from '@/components/actions/on-message'
import { whenWords } from '@/components/app/time-words'
import { Button, IconButton } from '@/components/ui/button'
import type { GraphIndex } from '@/lib/graph'
import type { TimeTravel } from '../model/graph-props'
import { movementWords } from './movement-words'
import type { Time } from './use-time'

const dimmed = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-45'

/** The history of the chat below its graph: a slider, the movement in words, and the two ways out. */
export function TimeBar({ time, travel, index }: { time: Time; travel: TimeTravel; index: GraphIndex }) {
  const { timeline, position, branchFromHead } = time
  const { failed } = travel
  const length = timeline?.length ?? 1
  const at = position ?? length
  const movement = timeline?.movements[at - 1]
  const what = timeline ? movementWords(timeline, index, at) : 'Reading the history'
  const when = movement && whenWords(movement.at, new Date())
  const words = [timeline && `${at} of ${length}`, what, when, timeline && position === null && 'now']
  // the end means now, and stays now when the history grows
  const goTo = (to: number) => {
    if (timeline && to >= 1) travel.onGo(to < length ? to : null)
  }
  return (
    <fieldset
      aria-label="Time"
      aria-busy={!timeline && !failed}
      className="arrive relative z-30 grid min-w-0 shrink-0 grid-cols-1 gap-x-2 gap-y-1 border-line border-t bg-canvas px-3 pt-1.5 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex items-center gap-1">
        <IconButton
          {...{ label: 'Previous movement', size: 'tool', Icon: ChevronLeft, className: dimmed }}
          aria-disabled={at <= 1}
          onClick={() => goTo(at - 1)}
        />
        <TimeSlider
          position={at}
          length={length}
          words={words.filter(Boolean).join(' · ')}
          takesFocus={time.takesFocus}
          onGo={goTo}
        />
        <IconButton
          {...{ label: 'Next movement', size: 'tool', Icon: ChevronRight, className: dimmed }}
          aria-disabled={at >= length}
          onClick={() => goTo(at + 1)}
        />
        <span aria-hidden className="shrink-0 pl-1 text-faint text-xs">
          {timeline && `${at} of ${length}`}
        </span>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {failed ? (
          <p role="alert" className="min-w-0 flex-1 basis-40 pl-1 text-muted text-sm">
            The history could not be read.{' '}
            <button
              type="button"
              onClick={travel.onReadAgain}
              className="text-accent underline touch:min-h-11"
            >
              Try again
            </button>
          </p>
        ) : (
          <p className="line-clamp-2 min-w-0 flex-1 basis-40 pl-1 text-sm [overflow-wrap:anywhere]">
            <bdi>{what}</bdi> <span className="whitespace-nowrap text-faint">{when}</span>
          </p>
        )}
        <span className="flex min-w-0 flex-wrap items-center justify-end gap-1.5 touch:w-full">
          <Button
            size="sm"
            className={`touch:h-11 touch:flex-1 ${dimmed}`}
            aria-disabled={!branchFromHead}
            onClick={branchFromHead}
          >
            <GitBranchPlus size={14} aria-hidden />
            {branchFromHere.label}
          </Button>
          {position === null ? (
            <IconButton label="Close the history" hint="Esc" size="tool" Icon={X} onClick={time.leave} />
          ) : (
            <Button look="primary" size="sm" className="touch:h-11 touch:flex-1" onClick={time.leave}>
              {returnToNow.label}
            </Button>
          )}
        </span>
      </div>
    </fieldset>
  )
}

interface TimeSliderProps {
  /** from 1 */
  position: number
  length: number
  /** what the position means */
  words: string
  /** the thumb gets the focus: the bar was opened from the page */
  takesFocus: boolean
  onGo(position: number): void
}

/** The positions of a history as a line. Arrows step by 1, Page keys by 10; Home and End go to the ends. */
function TimeSlider({ position, length, words, takesFocus, onGo }: TimeSliderProps) {
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

interface TimeMarkProps {
  /** milliseconds since 1970 */
  at: number
  /** the chat had no message by then */
  isEmpty: boolean
}

/** Marks the drawing as one of another time. */
export function TimeMark({ at, isEmpty }: TimeMarkProps) {
  return (
    <div className="appear @container pointer-events-none absolute inset-0 z-20 border border-line-strong border-dashed">
      <p className="absolute right-3 @max-md:bottom-auto @max-md:top-3 bottom-6 flex h-7 items-center gap-1.5 rounded-full border border-line bg-raised px-3 text-muted text-xs shadow-float">
        <History size={13} aria-hidden className="shrink-0" />
        <span>As it was {whenWords(at, new Date())}</span>
      </p>
      {isEmpty && (
        <p className="absolute inset-x-0 top-1/2 text-center text-muted text-sm">
          Nothing had been said yet.
        </p>
      )}
    </div>
  )
}
