'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { allVersions, nextVersion, previousVersion } from '@/components/actions/on-chat'
import { useChatTools } from '@/components/session/chat-context'
import type { Versions } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import { Sheet } from '@/components/ui/dialog'
import { useMediaQuery } from '@/components/ui/use-media-query'
import type { MessageId } from '@/lib/events'

const VersionList = lazy(() => import('./version-list'))

interface VersionPagerProps {
  id: MessageId
  versions: Versions
}

/** Steps through the versions of a message, each on a branch of its own. The number between the arrows lists them all. */
export function VersionPager({ id, versions }: VersionPagerProps) {
  const { position, count, previous, next } = versions
  const { openVersion } = useChatTools()
  const [open, setOpen] = useState(false)
  const isPhone = useMediaQuery('(max-width: 639px)')
  const step = (label: string, to: MessageId | null, icon: ReactNode) => (
    <Button
      look="quiet"
      size="icon-sm"
      tabIndex={-1}
      className="size-6 touch:-my-2 touch:size-11"
      aria-label={label}
      disabled={to === null}
      onClick={() => to !== null && openVersion(to)}
    >
      {icon}
    </Button>
  )
  const number = (
    <Button
      look="quiet"
      size="icon-sm"
      tabIndex={-1}
      className="h-6 w-auto px-1.5 text-xs tabular-nums touch:-my-2 touch:h-11 touch:min-w-11"
      data-versions=""
      aria-label={`${position} / ${count}, ${allVersions.label}`}
      aria-haspopup="dialog"
      aria-expanded={open}
      onClick={isPhone ? () => setOpen(true) : undefined}
    >
      {position} / {count}
    </Button>
  )
  const list = (
    <Suspense>
      <VersionList
        id={id}
        onOpen={(version) => {
          setOpen(false)
          if (version !== id) openVersion(version)
        }}
      />
    </Suspense>
  )
  return (
    <span className="-mx-1 flex shrink-0 items-center text-muted text-xs">
      {step(previousVersion.label, previous, <ChevronLeft size={14} aria-hidden />)}
      {isPhone ? (
        <>
          {number}
          <Sheet title={allVersions.label} side="bottom" open={open} onOpenChange={setOpen}>
            <p aria-hidden className="px-4 pt-4 pb-2 font-medium text-muted text-sm">
              {allVersions.short}
            </p>
            {list}
          </Sheet>
        </>
      ) : (
        <Popover.Root open={open} onOpenChange={setOpen}>
          <Popover.Trigger asChild>{number}</Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              side="bottom"
              align="start"
              sideOffset={6}
              collisionPadding={12}
              aria-label={allVersions.label}
              // the list takes it, once it is there
              onOpenAutoFocus={(event) => event.preventDefault()}
              className="appear z-50 flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-96 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
            >
              {list}
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
      {step(nextVersion.label, next, <ChevronRight size={14} aria-hidden />)}
    </span>
  )
}
