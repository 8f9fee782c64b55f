'use client'

import { Check } from 'lucide-react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { rowActions } from '@/components/actions/on-message'
import { useChatTools } from '@/components/session/chat-context'
import { cn } from '@/components/ui/cn'
import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import { useCopy } from './copy-button'

interface MessageActionsProps {
  node: GraphNode
  text: string
  /** "Try again" stands below the message, in words */
  withoutRetry: boolean
  /** the newest reply: its actions are always there */
  shown: boolean
  onEdit(): void
}

export function MessageActions({ node, text, withoutRetry, shown, onEdit }: MessageActionsProps) {
  const { busy, branchFrom, checkpoint, retry, inspect, canChooseModel, chooseModel } = useChatTools()
  const { copied, copy } = useCopy(text)
  const on = {
    ...{ busy, branchFrom, checkpoint, withoutRetry, copy, inspect, chooseModel },
    canChooseModel: (id: MessageId) => !withoutRetry && canChooseModel(id),
    messageId: node.id,
    role: node.role,
    edit: onEdit,
    retry: () => retry(node),
  }
  return (
    <div
      className={cn(
        '-ml-2 flex h-8 shrink-0 items-center opacity-0 transition-opacity touch:h-11 touch:opacity-100',
        'group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-focus/message:opacity-100',
        shown && 'opacity-100',
      )}
    >
      {offers(rowActions, on, true).map((offer) => {
        const done = copied && offer.id === 'copy'
        return (
          <ActionButton
            key={offer.id}
            offer={done ? { ...offer, Icon: Check, hint: 'Copied' } : offer}
            tabIndex={-1}
            data-action={offer.id}
            className={cn(done && 'text-accent')}
          />
        )
      })}
    </div>
  )
}
