'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { branchPath, comparePath } from '@/components/app/paths'
import { answerOf, undoToast } from '@/components/app/toasts'
import type { MessageId } from '@/lib/events'
import type { ChatActions, Comparison } from '@/lib/protocol'
import type { Which } from './sides'

/** Opens a branch at a message of either side and goes to it. Undo comes back here. */
export function useBranchFrom(
  { chatId, branches, ...sides }: Comparison,
  actions: Pick<ChatActions, 'rewind' | 'undoMove'>,
) {
  const router = useRouter()
  const [moving, startMoving] = useTransition()

  const branchFrom = (which: Which, messageId: MessageId) => {
    const side = sides[which]
    if (!side || moving) return
    startMoving(async () => {
      const moved = await answerOf(actions.rewind({ chatId, branchId: side.branch.id, messageId }))
      if (!moved) return
      const { branchId, delta } = moved
      const { moveSeq } = delta
      const known = branches.find(({ id }) => id === branchId)
      const name = delta.branches?.find(({ id }) => id === branchId)?.name ?? known?.name
      router.push(branchPath(chatId, name ?? branchId))
      undoToast(`${known?.title ?? 'A new branch'} continues from here`, () => {
        const { left, right } = sides
        const back = () => router.push(comparePath(chatId, left.branch.name, right?.branch.name))
        // a branch that the chat opened on before has moved nothing
        if (moveSeq === undefined) return back()
        // the page to go back to is read without the branch
        void answerOf(actions.undoMove({ chatId, moveSeq })).then(back)
      })
    })
  }

  return { branchFrom, moving }
}
