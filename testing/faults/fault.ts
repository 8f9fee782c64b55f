import type { Dice } from '@/testing/worlds/dice'
import type { Arena } from './arena'

/** What came of one fault. */
export interface Tally {
  trials: number
  /** what was tried, in words: turns, messages, connections */
  of: string
  /** acknowledged messages or replies that are not there, not whole or not what they should be */
  losses: string[]
  /** replies that are there twice */
  doubles: string[]
}

/** Something that happens to the application, and what must hold afterwards. */
export interface Fault {
  name: string
  on: readonly ('pglite' | 'postgres')[]
  /** needs a Postgres of its own, to stop and start */
  ownPostgres?: boolean
  /**
   * Rejects when it could not be tried. What is wrong then is for `tally`, and the database is checked afterwards.
   *
   * @param options.rounds how often it is done
   */
  run(arena: Arena, tally: Tally, options: { rounds: number; dice: Dice }): Promise<void>
}
