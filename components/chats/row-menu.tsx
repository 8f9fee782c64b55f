'use client'

import { useRef } from 'react'
import { offers } from '@/components/actions/action'
import { deleteThisChat, listedChatActions, selectChats } from '@/components/actions/on-app'
import { useApp } from '@/components/app/app-context'
import { titleOf } from '@/components/app/listed'
import { MenuAt, MenuItem } from '@/components/ui/menu'
import type { ChatSummary } from '@/lib/protocol'

interface RowMenuProps {
  chat: ChatSummary
  /** the row's own, which it opens beside */
  button: HTMLElement
  renameChat(chat: Pick<ChatSummary, 'id'> | null): void
  select(chat: Pick<ChatSummary, 'id'>): void
  onClose(): void
}

/** Menu of one chat of the list. */
export default function RowMenu({ chat, button, renameChat, select, onClose }: RowMenuProps) {
  const app = useApp()
  const chosen = useRef<(() => void) | null>(null)
  return (
    <MenuAt
      anchor={button}
      label={`More about ${titleOf(chat)}`}
      onClose={() => {
        onClose()
        // once the focus is back: an action may move it
        chosen.current?.()
        chosen.current = null
      }}
    >
      {offers([...listedChatActions.slice(0, -1), selectChats, deleteThisChat], {
        ...app,
        chat,
        renameChat,
        select,
      }).map(({ id, label, Icon, danger, run }) => (
        <MenuItem
          key={id}
          danger={danger}
          onSelect={() => {
            chosen.current = () => run(button)
          }}
        >
          {Icon && <Icon size={14} aria-hidden />} {label}
        </MenuItem>
      ))}
    </MenuAt>
  )
}
