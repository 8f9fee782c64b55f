'use client'

import { type Dispatch, type ReactNode, useRef, useState } from 'react'
import { useApp } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import type { ChatAction } from '@/components/session/chat-session'
import { readSince } from '@/components/session/read-chat'
import { Sheet } from '@/components/ui/dialog'
import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ChatView } from '@/lib/protocol'

const ContextPanel = deferred(() => import('@/components/context/context-panel'))

/** Shows the instructions in place of the graph, and closes them. Their button has the focus again when they close. */
export function useContextPlace() {
  const [shown, setShown] = useState(false)
  const opener = useRef<Element | null>(null)

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
  /** the beginning of a chat that is not stored yet; undefined for a stored chat */
  begins: ChatView['begins']
  dispatch: Dispatch<ChatAction>
  branch: { id: BranchId; title: string }
  seq: number
  model: string
  onOpenMessage(id: MessageId): void
}

/** The instructions in place of the graph; on a phone a sheet from below. */
export function ContextPlace({ place, phone, begins, dispatch, ...panel }: ContextPlaceProps): ReactNode {
  const { api } = useApp()
  const beginning = begins && {
    context: begins,
    model: panel.model,
    /** the first change has stored the chat */
    async onStored() {
      dispatch({ type: 'delta', complete: true, delta: await readSince(api, panel.chatId, 0) })
    },
  }
  const content = (
    <ContextPanel
      key={panel.branch.id}
      fallback={<div role="status" aria-label="Loading the instructions" className="h-full bg-canvas" />}
      {...panel}
      beginning={beginning ?? null}
      onClose={place.close}
    />
  )
  if (!phone) return content
  return (
    <Sheet title="Instructions" side="bottom" open onOpenChange={(open) => !open && place.close()}>
      {content}
    </Sheet>
  )
}
