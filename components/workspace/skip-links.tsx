'use client'

import { createPortal } from 'react-dom'
import { offers } from '@/components/actions/action'
import { type OnChat, skipLinks } from '@/components/actions/on-chat'
import { skipLinksId } from '@/components/app/paths'
import { useOnClient } from '@/components/app/use-on-client'

/** The first stops of Tab: past the list of chats and the header, to a part of the chat. Seen with the focus alone. */
export function SkipLinks({ on }: { on: OnChat }) {
  const place = useOnClient() ? document.getElementById(skipLinksId) : null
  if (!place) return null
  return createPortal(
    <nav
      aria-label="Skip"
      className="fixed top-2 left-2 z-50 flex -translate-y-20 gap-1 rounded-lg border border-line bg-raised p-1 shadow-float focus-within:translate-y-0"
    >
      {offers(skipLinks, on).map(({ id, short, run }) => (
        <a
          key={id}
          href={`#${id.replaceAll(' ', '-')}`}
          className="rounded-md px-3 py-1.5 font-medium text-sm"
          onClick={(event) => {
            event.preventDefault()
            run()
          }}
        >
          {short}
        </a>
      ))}
    </nav>,
    place,
  )
}
