'use client'

import { AlertDialog } from 'radix-ui'
import { countOf, type Picked, titleOf } from '@/components/app/listed'
import { Button } from '@/components/ui/button'
import { useFocusReturn } from '@/components/ui/use-focus-return'
import { counted } from '@/lib/events/counted'

interface DeleteChatsDialogProps {
  picked: Picked | null
  onClose(): void
  onDelete(picked: Picked): void
}

/** Deleting alone asks first, because it alone cannot be undone. It says how much goes. */
export function DeleteChatsDialog({ picked, onClose, onDelete }: DeleteChatsDialogProps) {
  const giveBack = useFocusReturn(picked !== null)
  const count = picked ? countOf(picked) : 0
  const chats = picked && 'chats' in picked ? picked.chats : []
  const [only] = chats
  const messages = chats.reduce((sum, { messageCount }) => sum + messageCount, 0)
  const what = count === 1 ? 'Delete chat' : `Delete ${counted(count, 'chat')}`
  return (
    <AlertDialog.Root open={picked !== null} onOpenChange={onClose}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="appear fixed inset-0 z-40 bg-shade" />
        <AlertDialog.Content
          onCloseAutoFocus={giveBack}
          className="arrive fixed top-[20dvh] left-1/2 z-50 w-[min(26rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border border-line bg-raised p-5 shadow-float"
        >
          <AlertDialog.Title className="font-semibold text-lg">
            {count === 1 ? 'Delete this chat?' : `${what}?`}
          </AlertDialog.Title>
          <AlertDialog.Description className="pt-2 text-muted">
            {count === 1 && only ? (
              <>
                <bdi className="block truncate text-ink">{titleOf(only)}</bdi>
                This deletes {counted(only.messageCount, 'message')} on{' '}
                {counted(only.branchCount, 'branch', 'branches')}. It cannot be undone.
              </>
            ) : chats.length > 0 ? (
              <>This deletes {counted(messages, 'message')} on all their branches. It cannot be undone.</>
            ) : (
              <>This deletes all their messages and branches. It cannot be undone.</>
            )}
          </AlertDialog.Description>
          <div className="flex justify-end gap-2 pt-5">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">{count === 1 ? 'Keep it' : 'Keep them'}</Button>
            </AlertDialog.Cancel>
            <Button
              look="danger"
              onClick={() => {
                onClose()
                if (picked) onDelete(picked)
              }}
            >
              {what}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
