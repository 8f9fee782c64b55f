'use client'

import { Pause, Play, SkipForward } from 'lucide-react'
import { Button } from '@/components/ui/button'
import type { TourBarProps } from './use-tour'

/** The caption of a tour below its view, like a subtitle, and its controls. */
export default function TourBar({ caption, done, isPaused, onPause, onNext, onSkip }: TourBarProps) {
  return (
    <section
      aria-label="Tour"
      data-tour
      className="arrive relative flex shrink-0 items-center gap-x-6 gap-y-2 border-line border-t bg-raised px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:flex-col max-sm:items-stretch max-sm:px-4"
    >
      <div
        aria-hidden
        className="absolute inset-x-0 -top-px h-0.5 origin-left bg-accent transition-transform duration-200"
        style={{ transform: `scaleX(${done})` }}
      />
      {/* the room of two lines: the controls stay under the thumb */}
      <p role="status" className="min-w-0 flex-1 text-balance text-lg max-sm:min-h-[3.2em]">
        <span key={caption} className="appear">
          {caption}
        </span>
      </p>
      <div className="flex shrink-0 items-center gap-2 max-sm:justify-between">
        {isPaused === null ? (
          <Button look="primary" className="touch:px-4" onClick={onNext}>
            Next
          </Button>
        ) : (
          <Button className="w-22" onClick={onPause}>
            {isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
            {isPaused ? 'Play' : 'Pause'}
          </Button>
        )}
        <Button look="quiet" onClick={onSkip}>
          <SkipForward size={14} aria-hidden /> Skip
        </Button>
      </div>
    </section>
  )
}
