'use client'

import Link from 'next/link'
import { useApp } from '@/components/app/app-context'
import { chatOf, chatPath } from '@/components/app/paths'
import { cn } from '@/components/ui/cn'

/** The chats of others that the person is a member of; nothing where there are none. */
export function SharedChats({ pathname, onLeave }: { pathname: string; onLeave?: (() => void) | undefined }) {
  const { sharedChats } = useApp()
  if (sharedChats.length === 0) return null
  const here = chatOf(pathname)
  return (
    <nav
      aria-label="Shared with me"
      className="max-h-[30%] shrink-0 overflow-y-auto border-line border-t px-2 py-2"
    >
      <h2 className="px-2 pb-1 font-medium text-faint text-xs">Shared with me</h2>
      <ul>
        {sharedChats.map(({ id, title, owner }) => (
          <li key={id}>
            <Link
              href={chatPath(id)}
              onClick={onLeave}
              aria-current={id === here ? 'page' : undefined}
              className={cn(
                'flex min-h-8 flex-col justify-center rounded-md px-2 py-1 text-sm hover:bg-ink/6 touch:min-h-11',
                id === here && 'bg-ink/6',
              )}
            >
              <bdi className="truncate">{title ?? 'A conversation'}</bdi>
              <span className="truncate text-faint text-xs">
                of <bdi>{owner}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
