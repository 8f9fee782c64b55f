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

/** Whether the instructions are shown in place of the graph, and the ways to change that. Their button has the focus again when they close. */
export function useContextPlace(chatId: ChatId) {
  const [shown, setShown] = useState(false)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    if (toOpen !== chatId) return
    toOpen = null
    setShown(true)
  }, [chatId])

  const close = () => {
    setShown(false)
    const { activeElement } = document
    const isInside = activeElement?.closest('section[aria-label="Instructions"]')
    const back = opener.current
    if (isInside && back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true })
  }
  return {
    shown,
    close,
    toggle(from: Element | null) {
      if (shown) return close()
      opener.current = from
      setShown(true)
    },
  }
}

interface ContextPlaceProps {
  place: Pick<ReturnType<typeof useContextPlace>, 'close'>
  phone: boolean
  chatId: ChatId
  unsaved: boolean
  branch: { id: BranchId; title: string }
  seq: number
  model: string
  onOpenMessage(id: MessageId): void
}

/** The instructions in place of the graph; on a phone a sheet from below. */
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
      fallback={<div role="status" aria-label="Loading the instructions" className="h-full bg-canvas" />}
      {...panel}
      onBegin={unsaved ? begin : null}
      onClose={place.close}
    />
  )
  if (!phone) return content
  return (
    <Sheet
      title="Instructions of this branch"
      side="bottom"
      open
      onOpenChange={(open) => !open && place.close()}
    >
      {content}
    </Sheet>
  )
}
