'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { MessageId } from '@/lib/events'

/** Side on which a message is pointed at. */
export type Side = 'thread' | 'graph'

/**
 * State that thread and graph share: the message that the pointer or the focus is on in either, and the messages in
 * the thread's window. Kept outside of React: only the rows and nodes of the messages concerned draw themselves anew.
 */
class PointedAt {
  readonly #listeners = new Map<MessageId, Set<() => void>>()
  #pointed: { id: MessageId; side: Side } | null = null
  #inView: ReadonlySet<MessageId> = new Set()

  /** @param id null when neither pointer nor focus is on a message of this side */
  point(side: Side, id: MessageId | null): void {
    const before = this.#pointed
    if (id === null ? before?.side !== side : before?.id === id && before.side === side) return
    this.#pointed = id === null ? null : { id, side }
    this.#tell([before?.id, id])
  }

  /** The messages in the thread's window, wholly or in part. */
  show(inView: ReadonlySet<MessageId>): void {
    const before = this.#inView
    this.#inView = inView
    this.#tell([...before].filter((id) => !inView.has(id)))
    this.#tell([...inView].filter((id) => !before.has(id)))
  }

  isLit = (id: MessageId, side: Side): boolean => this.#pointed?.id === id && this.#pointed.side === side

  isInView = (id: MessageId): boolean => this.#inView.has(id)

  listen(id: MessageId, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  #tell(ids: readonly (MessageId | null | undefined)[]): void {
    for (const id of ids) for (const listener of this.#listeners.get(id ?? '') ?? []) listener()
  }
}

/** The one of the page, which shows one chat. */
export const pointedAt = new PointedAt()

const never = () => false

/**
 * True when a message is pointed at on the other side.
 *
 * @param side the side that is pointed at: the thread, for a node of the graph
 */
export function useLit(id: MessageId, side: Side = 'thread'): boolean {
  const listen = useCallback((changed: () => void) => pointedAt.listen(id, changed), [id])
  return useSyncExternalStore(listen, () => pointedAt.isLit(id, side), never)
}

/** True when a message stands in the thread's window. */
export function useInView(id: MessageId): boolean {
  const listen = useCallback((changed: () => void) => pointedAt.listen(id, changed), [id])
  return useSyncExternalStore(listen, () => pointedAt.isInView(id), never)
}
