'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Versions } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import type { MessageId } from '@/lib/events'

interface VersionPagerProps {
  versions: Versions
  onOpen(id: MessageId): void
}

/** Steps through what was said in one place. Each version is on a branch of its own. */
export function VersionPager({ versions, onOpen }: VersionPagerProps) {
  const { position, count, previous, next } = versions
  return (
    <span className="-mx-1 flex shrink-0 items-center text-muted text-xs">
      <Button
        look="quiet"
        size="icon-sm"
        className="size-6 touch:-my-2 touch:size-11"
        aria-label="Previous version"
        disabled={previous === null}
        onClick={() => previous !== null && onOpen(previous)}
      >
        <ChevronLeft size={14} aria-hidden />
      </Button>
      <span>
        {position} / {count}
      </span>
      <Button
        look="quiet"
        size="icon-sm"
        className="size-6 touch:-my-2 touch:size-11"
        aria-label="Next version"
        disabled={next === null}
        onClick={() => next !== null && onOpen(next)}
      >
        <ChevronRight size={14} aria-hidden />
      </Button>
    </span>
  )
}
