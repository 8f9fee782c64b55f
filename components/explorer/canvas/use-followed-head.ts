import { useEffect, useRef } from 'react'
import type { MessageId } from '@/lib/events'
import type { GraphModel } from '../model/graph-model'

/**
 * Follows the head being read: a head that grew unless the reader went elsewhere, the head of another branch always.
 *
 * @param follow shows the head, or what is selected on another branch
 * @returns true when the reader went elsewhere, and the way to note it
 */
export function useFollowedHead(
  { index, headId }: GraphModel,
  selectedId: MessageId | null,
  follow: (id: MessageId | null) => void,
) {
  const wentElsewhere = useRef(false)
  const followed = useRef(headId)
  useEffect(() => {
    const before = followed.current
    if (before === headId) return
    followed.current = headId
    const grew = before !== null && headId !== null && index.isOnChain(before, headId)
    if (!grew) wentElsewhere.current = false
    if (!wentElsewhere.current) follow(!grew && selectedId !== null ? selectedId : headId)
  })
  return {
    isElsewhere: () => wentElsewhere.current,
    setElsewhere(now: boolean) {
      wentElsewhere.current = now
    },
  }
}
