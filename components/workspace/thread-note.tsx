import type { ReactNode } from 'react'
import type { useColumns } from '@/components/fan-out/use-columns'
import { isArchived } from '@/components/session/chat-session'
import type { useChatSession } from '@/components/session/use-chat-session'
import { Button } from '@/components/ui/button'
import { branchTitle } from '@/lib/graph/branch-title'

interface Standing {
  session: Pick<ReturnType<typeof useChatSession>, 'state' | 'thread'>
  columns: Pick<ReturnType<typeof useColumns>, 'hidden' | 'reopen'>
}

/**
 * Note at the end of the thread on the state of its branch: archived, at an earlier point, or one of several replies.
 */
export function threadNote({ session: { state, thread }, columns }: Standing): ReactNode {
  const { index, branchId } = state
  const { head, turn } = thread
  const title = <bdi>{branchTitle(index, branchId)}</bdi>
  if (isArchived(index, branchId)) return <>{title} is archived. What you send next brings it back.</>
  if (head && head.role !== 'user' && turn === null && index.childrenOf(head.id).length > 0) {
    return <>You are at an earlier point. What you send next is kept on {title}, and everything else stays.</>
  }
  if (!columns.hidden) return null
  return (
    <Button look="quiet" size="sm" className="-ml-2" onClick={columns.reopen}>
      Show the {columns.hidden.replies.length} replies side by side
    </Button>
  )
}
