'use client'

import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { allVersions, nextVersion, previousVersion } from '@/components/actions/on-chat'
import { deferred } from '@/components/app/deferred'
import { useChatTools } from '@/components/session/chat-context'
import type { Versions } from '@/components/session/thread-rows'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ListPanel } from '@/components/ui/list-panel'
import type { MessageId } from '@/lib/events'

/** Arrows are drawn beside the number at all times; they are buttons when the message is pointed at, has the focus, or is touched. */
const pointedAt =
  'opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-focus/message:opacity-100 touch:opacity-100'

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
  const step = ({ label, keys }: typeof nextVersion, to: MessageId | null, Icon: LucideIcon) => (
    <span className="relative flex">
      <Icon
        size={14}
        aria-hidden
        className={cn(
          'absolute inset-0 m-auto text-faint group-hover/message:hidden touch:hidden',
          to === null && 'opacity-45',
        )}
      />
      <IconButton
        label={label}
        hint={keys?.[0]}
        size="icon-sm"
        Icon={Icon}
        tabIndex={-1}
        className={cn('size-6 touch:-my-2 touch:size-11', pointedAt)}
        disabled={to === null}
        onClick={() => to !== null && openVersion(to)}
      />
    </span>
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
    <span className="-mx-1.5 flex shrink-0 items-center text-muted text-xs">
      {step(previousVersion, previous, ChevronLeft)}
      <ListPanel
        label={allVersions.label}
        open={open}
        onOpenChange={setOpen}
        trigger={number}
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
      {step(nextVersion, next, ChevronRight)}
    </span>
  )
}
