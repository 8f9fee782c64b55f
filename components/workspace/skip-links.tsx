'use client'

import { createPortal } from 'react-dom'
import { offers } from '@/components/actions/action'
import { type OnChat, skipLinks } from '@/components/actions/on-chat'
import { graphId, skipLinksId } from '@/components/app/paths'
import { SkipNav } from '@/components/app/skip-to-content'
import { useOnClient } from '@/components/app/use-on-client'

/** The parts of the page that the links lead to, by the ids of their actions. */
const parts: Readonly<Record<string, string>> = {
  'to messages': '#messages',
  'to box': '#message-box',
  'to graph': `#${graphId}`,
}

/** The first stops of Tab: past the list of chats and the header, to a part of the chat. Seen with the focus alone. */
export function SkipLinks({ on }: { on: OnChat }) {
  const place = useOnClient() ? document.getElementById(skipLinksId) : null
  if (!place) return null
  return createPortal(
    <SkipNav>
      {offers(skipLinks, on).map(({ id, short, run }) => (
        <a
          key={id}
          href={parts[id]}
          onClick={(event) => {
            event.preventDefault()
            run()
          }}
        >
          {short}
        </a>
      ))}
    </SkipNav>,
    place,
  )
}
