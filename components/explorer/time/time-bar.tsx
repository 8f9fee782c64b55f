'use client'

import { ChevronLeft, ChevronRight, GitBranchPlus, X } from 'lucide-react'
import { returnToNow } from '@/components/actions/on-graph'
import { branchFromHere } from '@/components/actions/on-message'
import { Button, IconButton } from '@/components/ui/button'
import type { Timeline } from '@/lib/graph'
import { TimeSlider } from './time-slider'
import { movementWords, whenWords } from './time-words'

interface TimeBarProps {
  /** null while the history is being read */
  timeline: Timeline | null
  /** null for now */
  position: number | null
  failed: boolean
  takesFocus: boolean
  onGo(position: number | null): void
  /** absent where there is nothing to branch from */
  onBranchFrom?: (() => void) | undefined
  onLeave(): void
  onReadAgain(): void
}

const thumbSize = 'touch:size-11'
const dimmed = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-45'

/** The history of the chat below its graph: a line to move along, what happened there, and the two ways on. */
export function TimeBar({ timeline, position, failed, ...on }: TimeBarProps) {
  const length = timeline?.length ?? 1
  const at = position ?? length
  const movement = timeline?.movements[at - 1]
  const what = timeline ? movementWords(timeline, at) : 'Reading the history'
  const when = movement && whenWords(movement.at, new Date())
  const words = [timeline && `${at} of ${length}`, what, when, timeline && position === null && 'now']
  // at the end is now, and stays now when something is added
  const goTo = (to: number) => {
    if (timeline && to >= 1) on.onGo(to < length ? to : null)
  }
  return (
    <fieldset
      aria-label="Time"
      aria-busy={!timeline && !failed}
      className="arrive relative z-30 grid min-w-0 shrink-0 grid-cols-1 gap-x-2 gap-y-1 border-line border-t bg-canvas px-3 pt-1.5 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex items-center gap-1">
        <IconButton
          label="Previous movement"
          size="icon-sm"
          className={`${thumbSize} ${dimmed}`}
          aria-disabled={at <= 1}
          onClick={() => goTo(at - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <TimeSlider
          position={at}
          length={length}
          words={words.filter(Boolean).join(' · ')}
          takesFocus={on.takesFocus}
          onGo={goTo}
        />
        <IconButton
          label="Next movement"
          size="icon-sm"
          className={`${thumbSize} ${dimmed}`}
          aria-disabled={at >= length}
          onClick={() => goTo(at + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </IconButton>
        <span aria-hidden className="shrink-0 pl-1 text-faint text-xs">
          {timeline && `${at} of ${length}`}
        </span>
      </div>
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {failed ? (
          <p role="alert" className="min-w-0 flex-1 basis-40 pl-1 text-muted text-sm">
            The history could not be read.{' '}
            <button type="button" onClick={on.onReadAgain} className="text-accent underline touch:min-h-11">
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
            aria-disabled={!on.onBranchFrom}
            onClick={on.onBranchFrom}
          >
            <GitBranchPlus size={14} aria-hidden />
            {branchFromHere.label}
          </Button>
          {position === null ? (
            <IconButton
              label="Close the history"
              hint="Esc"
              size="icon-sm"
              className={thumbSize}
              onClick={on.onLeave}
            >
              <X size={14} aria-hidden />
            </IconButton>
          ) : (
            <Button look="primary" size="sm" className="touch:h-11 touch:flex-1" onClick={on.onLeave}>
              {returnToNow.label}
            </Button>
          )}
        </span>
      </div>
    </fieldset>
  )
}
