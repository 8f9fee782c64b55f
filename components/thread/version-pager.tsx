'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Versions } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import type { MessageId } from '@/lib/events'

interface VersionPagerProps {
  versions: Versions
  onOpen(id: MessageId): void
}

/** Steps through the versions of a message. Each version is on a branch of its own. */
export function VersionPager({ versions, onOpen }: VersionPagerProps) {
  const { position, count, previous, next } = versions
  const step = (label: string, to: MessageId | null, icon: ReactNode) => (
    <Button
      look="quiet"
      size="icon-sm"
      className="size-6 touch:-my-2 touch:size-11"
      aria-label={label}
      disabled={to === null}
      onClick={() => to !== null && onOpen(to)}
    >
      {icon}
    </Button>
  )
  return (
    <span className="-mx-1 flex shrink-0 items-center text-muted text-xs">
      {step('Previous version', previous, <ChevronLeft size={14} aria-hidden />)}
      <span>
        {position} / {count}
      </span>
      {step('Next version', next, <ChevronRight size={14} aria-hidden />)}
    </span>
  )
}
