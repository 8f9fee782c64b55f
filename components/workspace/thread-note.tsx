import type { ReactNode } from 'react'
import type { useColumns } from '@/components/fan-out/use-columns'
import { type ChatSession, isArchived } from '@/components/session/chat-session'
import { Button } from '@/components/ui/button'
import { branchTitle } from '@/lib/graph/branch-title'

interface Standing {
  state: ChatSession
  columns: Pick<ReturnType<typeof useColumns>, 'hidden' | 'reopen'>
  /** replies to the last message shown are on other branches */
  isEarlier: boolean
}

/** What the end of the thread says of its branch: archived, at an earlier point, or one of several replies. */
export function threadNote({ state: { index, branchId }, columns, isEarlier }: Standing): ReactNode {
  const title = <bdi>{branchTitle(index, branchId)}</bdi>
  if (isArchived(index, branchId)) return <>{title} is archived. What you send next brings it back.</>
  if (isEarlier) {
    return <>You are at an earlier point. What you send next is kept on {title}, and everything else stays.</>
  }
  if (!columns.hidden) return null
  return (
    <Button look="quiet" size="sm" className="-ml-2" onClick={columns.reopen}>
      Show the {columns.hidden.replies.length} replies side by side
    </Button>
  )
}
