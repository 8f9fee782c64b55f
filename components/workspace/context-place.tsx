'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import { answerOf } from '@/components/app/toasts'
import { Sheet } from '@/components/ui/dialog'
import type { BranchId, ChatId, MessageId } from '@/lib/events'

const ContextPanel = deferred(() => import('@/components/context/context-panel'))

/** The chat whose context is to be shown when its page opens. */
let toOpen: ChatId | null = null

/** What takes the place of the graph beside the thread. */
type Side = 'Context' | 'History'

/** Which panel is shown in place of the graph, and the ways to change that. Its button has the focus again when it closes. */
export function useSidePlace(chatId: ChatId) {
  const [shown, setShown] = useState<Side | null>(null)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (toOpen !== chatId) return
    toOpen = null
    setShown('Context')
  }, [chatId])

  const close = () => {
    setShown(null)
    const { activeElement } = document
    const isInside = activeElement?.closest(`section[aria-label="${shown}"]`)
    const back = opener.current
    if (isInside && back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
  }
  return {
    shown,
    close,
    toggle(side: Side, from: Element | null) {
      if (shown === side) return close()
      opener.current = from
      setShown(side)
    },
  }
}

interface ContextPlaceProps {
  place: Pick<ReturnType<typeof useSidePlace>, 'close'>
  phone: boolean
  chatId: ChatId
  unsaved: boolean
  branch: { id: BranchId; title: string }
  seq: number
  model: string
  onOpenMessage(id: MessageId): void
}

/** The context in place of the graph; on a phone a sheet from below. */
export function ContextPlace({ place, phone, unsaved, ...panel }: ContextPlaceProps): ReactNode {
  const { api, openChat } = useApp()
  /** Stores the chat, empty, and shows its context there. */
  const begin = async () => {
    const made = await answerOf<{ chat_id: ChatId }>(
      api
        .fetch('/api/commands/create-thread', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
        .then(async (response) => ({
          ok: true as const,
          value: (await response.json()) as { chat_id: ChatId },
        })),
    )
    if (!made) return
    toOpen = made.chat_id
    openChat(made.chat_id)
  }
  const content = (
    <ContextPanel
      key={`${panel.branch.id} ${unsaved}`}
      fallback={<div role="status" aria-label="Loading the context" className="h-full bg-canvas" />}
      {...panel}
      onBegin={unsaved ? begin : null}
      onClose={place.close}
    />
  )
  if (!phone) return content
  return (
    <Sheet title="Context of this branch" side="bottom" open onOpenChange={(open) => !open && place.close()}>
      {content}
    </Sheet>
  )
}
