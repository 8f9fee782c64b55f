import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'

// routes and pages are bundled apart, and look at the same replies
const shared = globalThis as typeof globalThis & { __ramifyStoring?: Map<string, Set<Promise<unknown>>> }
shared.__ramifyStoring ??= new Map()
/** Replies that have come to their end and are being stored, by their owner. */
const storing = shared.__ramifyStoring

/** Notes that a reply to a person's agent is being stored. */
export function beingStored(ownerId: string, work: Promise<unknown>): void {
  const mine = storing.get(ownerId) ?? new Set()
  storing.set(ownerId, mine.add(work))
  const isOver = () => mine.delete(work) && mine.size === 0 && storing.delete(ownerId)
  work.then(isOver, isOver)
}

/** Resolves when the replies to a person's agents that have come to their end in this process are stored. */
export const repliesStored = (ownerId: string): Promise<unknown> =>
  Promise.allSettled(storing.get(ownerId) ?? [])

/** So long they are waited for where something else can be said, in ms. */
const SOON = 2000

/** As `repliesStored`, but never for long: a database may be away. */
export const repliesStoredSoon = (ownerId: string): Promise<unknown> =>
  Promise.race([repliesStored(ownerId), sleep(SOON, undefined, { ref: false })])
