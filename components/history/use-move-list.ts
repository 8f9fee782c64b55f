import { useState } from 'react'
import { chatUrl, useLoaded } from '@/components/session/read-chat'
import type { ChatId } from '@/lib/events'
import { joinPages } from '@/lib/graph/history/move-entries'
import type { MoveEntry, MovePage } from '@/lib/protocol'

interface Known {
  moves: MoveEntry[]
  /** complete up to this position of the log */
  seq: number
  /** `before` of the next page; null after the last */
  next: number | null
}

/** Positions of the log that a later page covers: the server takes no more at once. */
const STRETCH = 2000

/**
 * The history of a chat, the latest first: its first page, further ones when asked for, and what happens while it is shown.
 *
 * @param seq the position of the log that the page knows
 */
export function useMoveList(chatId: ChatId, seq: number) {
  const [known, setKnown] = useState<Known | null>(null)
  const [wanted, setWanted] = useState<number | null>(null)
  const urlOf = (query: Record<string, number>) => chatUrl('chats', chatId, 'moves', query)

  const missing = known ? seq - known.seq : 0
  const isFar = missing > STRETCH
  const latest = useLoaded<MovePage>(
    !known || isFar ? urlOf({}) : missing > 0 ? urlOf({ before: seq + 1, limit: missing }) : null,
    (page) => {
      if (!known || isFar) return setKnown(page)
      // a line that goes on in the new moves is in both
      const floor = page.next ?? 1
      const before = known.moves.filter((move) => move.seq < floor)
      setKnown({ moves: joinPages(page.moves, before), seq, next: known.next })
    },
    seq,
  )
  const earlier = useLoaded<MovePage>(
    known && wanted !== null && known.next === wanted ? urlOf({ before: wanted, limit: STRETCH }) : null,
    (page) => {
      if (known) setKnown({ ...known, moves: joinPages(known.moves, page.moves), next: page.next })
    },
  )
  const next = known?.next ?? null
  return {
    moves: known?.moves ?? null,
    latest,
    earlier,
    /** loads the next page; undefined after the last */
    more: next === null ? undefined : () => setWanted(next),
  }
}
