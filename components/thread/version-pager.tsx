'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { allVersions, nextVersion, previousVersion } from '@/components/actions/on-chat'
import { deferred } from '@/components/app/deferred'
import { useChatTools } from '@/components/session/chat-context'
import type { Versions } from '@/components/session/thread-rows'
import { Button } from '@/components/ui/button'
import { ListPanel } from '@/components/ui/list-panel'
import type { MessageId } from '@/lib/events'

const VersionList = deferred(() => import('./version-list'))

interface VersionPagerProps {
  id: MessageId
  versions: Versions
}

/** Steps through the versions of a message, each on a branch of its own. The number between the arrows lists them all. */
export function VersionPager({ id, versions }: VersionPagerProps) {
  const { position, count, previous, next } = versions
  const { openVersion } = useChatTools()
  const [open, setOpen] = useState(false)
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
    >
      {position} / {count}
    </Button>
  )
  return (
    <span className="-mx-1 flex shrink-0 items-center text-muted text-xs">
      {step(previousVersion.label, previous, <ChevronLeft size={14} aria-hidden />)}
      <ListPanel
        label={allVersions.label}
        {...{ open, onOpenChange: setOpen, trigger: number }}
        // the list takes the focus, once it is there
        onOpened={() => undefined}
        beside={{ side: 'bottom', sideOffset: 6, collisionPadding: 12, className: 'w-96' }}
        sheetHead={
          <p aria-hidden className="px-4 pt-4 pb-2 font-medium text-muted text-sm">
            {allVersions.short}
          </p>
        }
      >
        <VersionList
          id={id}
          onOpen={(version) => {
            setOpen(false)
            if (version !== id) openVersion(version)
          }}
        />
      </ListPanel>
      {step(nextVersion.label, next, <ChevronRight size={14} aria-hidden />)}
    </span>
  )
}
