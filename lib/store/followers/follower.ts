import type { Database } from '@/lib/db'
import type { LoggedEvent } from '@/lib/events'

/** Somebody who reads the log of all chats and keeps something of it up to date (DESIGN.md §9). */
export interface Follower {
  /** names its place in the log, for good */
  readonly name: string
  /**
   * What the next events amount to; undefined when there is nothing to do about them. Nothing is written yet, and it may be
   * asked again for the same events.
   *
   * Of a transaction's events some may come now and the rest later. Those of one chat mostly come in the order of their
   * `seq`, but not always: a transaction may begin first and write second. Chats may have been deleted since.
   */
  effect(events: readonly LoggedEvent[], ask: Database['query']): Promise<Effect | undefined>
  /** A statement that takes back everything it did, so that the whole log can be taken in again; undefined for nothing. */
  readonly undo?: string
}

/**
 * One statement, so that what it does stays or goes with the follower's new place. It does something only where `moved`
 * has its row, reads `rows` from `$1::json`, and answers with the `chat`s it has written to, if that is any news to them.
 */
export interface Effect {
  sql: string
  rows: readonly object[]
}
