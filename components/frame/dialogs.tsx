'use client'

import type { Command } from '@/components/app/app-context'
import { deferred } from '@/components/app/deferred'
import type { Picked } from '@/components/app/listed'
import { DeleteChatsDialog } from '@/components/chats/delete-chats-dialog'
import { TagPicker } from '@/components/chats/tag-picker'
import { SearchDialog } from '@/components/search/search-dialog'
import type { ChatId } from '@/lib/events'
import { CommandPalette } from './command-palette'
import { HelpDialog } from './help-dialog'

export type OpenDialog = 'palette' | 'search' | 'help' | 'sign in' | 'sign up'

const ExportDialog = deferred(() => import('@/components/export/export-dialog'), { floats: (props) => props })

const AccountDialog = deferred(
  async () => ({ default: (await import('@/components/account/account-dialog')).AccountDialog }),
  { floats: (props) => props },
)

export interface DialogsProps {
  open: OpenDialog | null
  onOpenChange(open: OpenDialog | null): void
  commands: readonly Command[]
  /** the chat that is searched first */
  chatId: ChatId | null
  /** chats whose tags are asked for, and what that stands beside */
  tagging: { picked: Picked; beside: Element | null } | null
  onTagged(): void
  exporting: Picked | null
  onExported(): void
  deleting: Picked | null
  onKept(): void
  onDelete(picked: Picked): void
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
      {(open === 'sign in' || open === 'sign up') && (
        <AccountDialog {...shown(open)} way={open === 'sign in' ? 'in' : 'up'} />
      )}
      <TagPicker
        picked={chats.tagging?.picked ?? null}
        beside={chats.tagging?.beside ?? null}
        onClose={chats.onTagged}
      />
      {chats.exporting && (
        <ExportDialog exported={{ picked: chats.exporting }} open onOpenChange={chats.onExported} />
      )}
      <DeleteChatsDialog picked={chats.deleting} onClose={chats.onKept} onDelete={chats.onDelete} />
    </>
  )
}
