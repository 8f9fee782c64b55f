'use client'

import { useState } from 'react'
import { renameThisChat } from '@/components/actions/on-app'
import { useApp } from '@/components/app/app-context'
import { answerOf, undoToast } from '@/components/app/toasts'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/text-field'
import type { ChatSummary } from '@/lib/protocol'

export function RenameChatDialog({ chat, onClose }: { chat: ChatSummary | null; onClose(): void }) {
  return (
    <Dialog
      open={chat !== null}
      onOpenChange={onClose}
      title={renameThisChat.label}
      className="w-[min(26rem,calc(100vw-2rem))]"
    >
      {chat && <RenameForm key={chat.id} chat={chat} onClose={onClose} />}
    </Dialog>
  )
}

function RenameForm({ chat, onClose }: { chat: ChatSummary; onClose(): void }) {
  const { actions, noteChat } = useApp()
  const [title, setTitle] = useState(chat.title ?? '')

  /** The list shows the new title at once, and the old one again when the server refuses. */
  const rename = async (next: string): Promise<boolean> => {
    noteChat({ id: chat.id, title: next })
    const renamed = await answerOf(actions.renameChat({ chatId: chat.id, title: next }))
    if (!renamed) noteChat({ id: chat.id, title: chat.title })
    return renamed !== null
  }

  const submit = async () => {
    const next = title.trim()
    onClose()
    if (next === '' || next === chat.title) return
    const { title: before } = chat
    if ((await rename(next)) && before !== null) undoToast('Renamed the chat', () => void rename(before))
  }

  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} />
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="primary" type="submit" disabled={title.trim() === ''}>
          {renameThisChat.short}
        </Button>
      </div>
    </form>
  )
}
