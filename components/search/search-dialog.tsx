'use client'

import { useRef } from 'react'
import type { ChatId } from '@/lib/events'
import { Dialog } from '../ui/dialog'
import { SearchPanel } from './search-panel'

interface SearchDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
  /** the chat on the page, when it is a stored one */
  chatId: ChatId | null
}

/** Searches everything that was said, in all chats or in the one on the page. */
export function SearchDialog({ open, onOpenChange, chatId }: SearchDialogProps) {
  const leaving = useRef(false)
  return (
    <Dialog
      bare
      open={open}
      onOpenChange={onOpenChange}
      title="Search"
      className="w-[min(42rem,calc(100vw-2rem))] max-sm:top-2 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-[calc(100vw-1rem)]"
      onCloseAutoFocus={(event) => {
        // the message that was opened takes the focus
        if (leaving.current) event.preventDefault()
        leaving.current = false
      }}
    >
      <SearchPanel
        chatId={chatId}
        onLeave={() => {
          leaving.current = true
          onOpenChange(false)
        }}
      />
    </Dialog>
  )
}
