'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { branchPath, comparePath } from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { problemToast, undoToast } from '@/components/app/undo-toast'
import type { MessageId } from '@/lib/events'
import type { ChatActions, Comparison } from '@/lib/protocol'
import type { Which } from './sides'

/** Goes on from a message of either side: opens a branch there and goes to it. Undo comes back here. */
export function useBranchFrom(
  { chatId, branches, ...sides }: Comparison,
  actions: Pick<ChatActions, 'rewind' | 'archiveBranch'>,
) {
  const router = useRouter()
  const [moving, startMoving] = useTransition()

  const branchFrom = (which: Which, messageId: MessageId) => {
    const side = sides[which]
    if (!side || moving) return
    startMoving(async () => {
      try {
        const result = await actions.rewind({ chatId, branchId: side.branch.id, messageId })
        if (!result.ok) return problemToast(result.problem)
        const { branchId, delta } = result.value
        const name = delta.branches?.find(({ id }) => id === branchId)?.name
        const known = branches.find(({ id }) => id === branchId)
        router.push(branchPath(chatId, name ?? known?.name ?? branchId))
        undoToast(`${name ?? known?.name ?? 'A branch'} continues from here`, () => {
          const { left, right } = sides
          const back = () => router.push(comparePath(chatId, left.branch.name, right?.branch.name))
          // a branch that stood there before stays
          if (known) return back()
          // the page that is gone back to is read without the branch
          actions
            .archiveBranch({ chatId, branchId, switchTo: side.branch.id })
            .then((undone) => undone.ok || problemToast(undone.problem))
            .catch((error: unknown) => problemToast(problemOf(error, unreached)))
            .finally(back)
        })
      } catch (error) {
        problemToast(problemOf(error, unreached))
      }
    })
  }

  return { branchFrom, moving }
}
