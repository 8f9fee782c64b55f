'use client'

import type { Command } from '@/components/app/app-context'
import { SearchDialog } from '@/components/search/search-dialog'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'
import { CommandPalette } from './command-palette'
import { DeleteChatDialog } from './delete-chat-dialog'
import { HelpDialog } from './help-dialog'
import { RenameChatDialog } from './rename-chat-dialog'

export type OpenDialog = 'palette' | 'search' | 'help'

export interface DialogsProps {
  open: OpenDialog | null
  onOpenChange(open: OpenDialog | null): void
  /** what the palette offers */
  commands: readonly Command[]
  /** the chat that is searched first */
  chatId: ChatId | null
  renaming: ChatSummary | null
  onRenamed(): void
  deleting: ChatSummary | null
  onKept(): void
  onDeleted(id: ChatId): void
}

/** The dialogs of the page: a chunk of their own, since no page needs them to be read. */
export function Dialogs({ open, onOpenChange, commands, chatId, ...chats }: DialogsProps) {
  const shown = (dialog: OpenDialog) => ({
    open: open === dialog,
    onOpenChange: (next: boolean) => onOpenChange(next ? dialog : null),
  })
  return (
    <>
      <CommandPalette {...shown('palette')} commands={commands} />
      <SearchDialog {...shown('search')} chatId={chatId} />
      <HelpDialog {...shown('help')} />
      <RenameChatDialog chat={chats.renaming} onClose={chats.onRenamed} />
      <DeleteChatDialog chat={chats.deleting} onClose={chats.onKept} onDeleted={chats.onDeleted} />
    </>
  )
}
