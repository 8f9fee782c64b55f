'use client'

import { AlertDialog } from 'radix-ui'
import { deleteThisChat } from '@/components/actions/on-app'
import { useApp } from '@/components/app/app-context'
import { answerOf } from '@/components/app/toasts'
import { Button } from '@/components/ui/button'
import { useFocusReturn } from '@/components/ui/use-focus-return'
import type { ChatId } from '@/lib/events'
import type { ChatSummary } from '@/lib/protocol'

interface DeleteChatDialogProps {
  chat: ChatSummary | null
  onClose(): void
  onDeleted(id: ChatId): void
}

/** Deleting alone asks first, because it alone cannot be undone. */
export function DeleteChatDialog({ chat, onClose, onDeleted }: DeleteChatDialogProps) {
  const { actions } = useApp()
  const giveBack = useFocusReturn(chat !== null)

  const remove = async ({ id }: ChatSummary) => {
    onClose()
    if (await answerOf(actions.deleteChat({ chatId: id }))) onDeleted(id)
  }

  return (
    <AlertDialog.Root open={chat !== null} onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="appear fixed inset-0 z-40 bg-shade" />
        <AlertDialog.Content
          onCloseAutoFocus={giveBack}
          className="arrive fixed top-[20dvh] left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border border-line bg-raised p-5 shadow-float"
        >
          <AlertDialog.Title className="font-semibold text-lg">Delete this chat?</AlertDialog.Title>
          <AlertDialog.Description className="pt-2 text-muted">
            {chat && (
              <>
                <bdi className="text-ink">{chat.title ?? 'Untitled chat'}</bdi> goes with{' '}
                {count(chat.messageCount, 'message', 'messages')} on{' '}
                {count(chat.branchCount, 'branch', 'branches')}. This cannot be undone.
              </>
            )}
          </AlertDialog.Description>
          <div className="flex justify-end gap-2 pt-5">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">Keep it</Button>
            </AlertDialog.Cancel>
            <Button look="danger" onClick={() => chat && void remove(chat)}>
              {deleteThisChat.label}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
