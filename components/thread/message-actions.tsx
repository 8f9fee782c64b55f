'use client'

import { Check, Ellipsis } from 'lucide-react'
import { offers } from '@/components/actions/action'
import { ActionButton } from '@/components/actions/action-button'
import { moreRowActions, rowActions } from '@/components/actions/on-message'
import { useChatTools } from '@/components/session/chat-context'
import { IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Menu, MenuItem } from '@/components/ui/menu'
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
  const { retry, canChooseModel, ...tools } = useChatTools()
  const { busy, branchFrom, checkpoint, inspect, fanOut, chooseModel } = tools
  const { merging, severalBranches, replay, share, bisect, hasAgents, steer } = tools
  const { copied, copy } = useCopy(text)
  const on = {
    ...{ busy, branchFrom, checkpoint, withoutRetry, copy, inspect, fanOut, chooseModel },
    ...{ merging, severalBranches, replay, share, bisect, hasAgents, steer },
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
      <Menu
        trigger={
          <IconButton label="More actions" Icon={Ellipsis} size="tool" tabIndex={-1} data-action="more" />
        }
      >
        {offers(moreRowActions, on).map(({ id, label, Icon, run }) => (
          <MenuItem key={id} onSelect={() => run()}>
            {Icon && <Icon size={14} aria-hidden className="text-faint" />} {label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
