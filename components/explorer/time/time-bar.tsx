'use client'

import { ChevronLeft, ChevronRight, GitBranchPlus } from 'lucide-react'
import { Slider } from 'radix-ui'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { offers } from '@/components/actions/action'
import { returnToNow } from '@/components/actions/on-graph'
import { branchFromHere } from '@/components/actions/on-message'
import { whenWords } from '@/components/app/time-words'
import { Button, IconButton } from '@/components/ui/button'
import type { GraphIndex } from '@/lib/graph'
import type { TimeTravel } from '../model/graph-props'
import { movementWords } from './movement-words'
import type { Time } from './use-time'

const dimmed = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-45'

/** The line of time of a chat: a slider, the movement in words, and the two ways out. */
export function TimeBar({ time, travel, index }: { time: Time; travel: TimeTravel; index: GraphIndex }) {
  const { timeline, position, branchFromHead } = time
  const { failed } = travel
  const thumb = useRef<HTMLSpanElement>(null)
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
      className="arrive relative z-30 grid min-w-0 shrink-0 grid-cols-1 gap-x-2 gap-y-1 border-line border-b bg-canvas px-3 pt-1 pb-2"
    >
      <div className="flex items-center gap-1">
        <IconButton
          label="Previous movement"
          size="tool"
          Icon={ChevronLeft}
          className={dimmed}
          aria-disabled={at <= 1}
          onClick={() => goTo(at - 1)}
        />
        <TimeSlider
          thumb={thumb}
          position={at}
          length={length}
          words={words.filter(Boolean).join(' · ')}
          onGo={goTo}
        />
        <IconButton
          label="Next movement"
          size="tool"
          Icon={ChevronRight}
          className={dimmed}
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
          <p className="line-clamp-3 min-w-0 flex-1 basis-40 pl-1 text-sm [overflow-wrap:anywhere]">
            <span className="block text-faint text-xs">{position === null ? when : `As it was ${when}`}</span>
            <bdi>{what}</bdi>
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
          {offers([returnToNow], time.on).map(({ id, label, run }) => (
            <Button
              key={id}
              look="primary"
              size="sm"
              className="touch:flex-1"
              onClick={() => {
                run()
                // the button goes
                thumb.current?.focus({ preventScroll: true })
              }}
            >
              {label}
            </Button>
          ))}
        </span>
      </div>
    </fieldset>
  )
}

interface TimeSliderProps {
  thumb: RefObject<HTMLSpanElement | null>
  /** from 1 */
  position: number
  length: number
  /** the position in words */
  words: string
  onGo(position: number): void
}

/** The positions of a history as a line, which takes the focus. Arrows step by 1, Page keys by 10; Home and End go to the ends. */
function TimeSlider({ thumb, position, length, words, onGo }: TimeSliderProps) {
  // Radix hides a thumb until it has counted its thumbs, one render later
  const [isShown, setShown] = useState(false)
  useEffect(() => setShown(true), [])
  useEffect(() => {
    if (isShown) thumb.current?.focus({ preventScroll: true })
  }, [isShown, thumb])
  return (
    <Slider.Root
      min={1}
      max={Math.max(length, 1)}
      value={[position]}
      onValueChange={([to = position]) => onGo(to)}
      className="relative flex h-7 min-w-0 flex-1 cursor-pointer touch-none select-none items-center touch:h-11"
    >
      {/* it ends where the mark in the thumb ends */}
      <Slider.Track className="relative mx-[7px] h-1 flex-1 overflow-hidden rounded-full bg-line-strong/60 touch:mx-3">
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

/**
 * Marks the drawing as one of another time.
 *
 * @param isEmpty the chat had no message by then
 */
export function TimeMark({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div className="appear pointer-events-none absolute inset-0 z-20 border border-line-strong border-dashed">
      {isEmpty && (
        <p className="absolute inset-x-0 top-1/2 text-center text-muted text-sm">
          Nothing had been said yet.
        </p>
      )}
    </div>
  )
}
