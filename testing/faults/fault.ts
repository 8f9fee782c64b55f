import type { Dice } from '@/testing/worlds/dice'
import type { Arena } from './arena'

/** The outcome of one fault. */
export interface Tally {
  trials: number
  /** the trials in words: turns, messages, connections */
  of: string
  /** acknowledged messages or replies that are missing, cut or wrong */
  losses: string[]
  /** replies that are there twice */
  doubles: string[]
}

/** Something that happens to the application, and what must hold afterwards. */
export interface Fault {
  name: string
  on: readonly ('pglite' | 'postgres')[]
  /** how many replies it asks for to one message; 1 unless given. Faults of a group ask for as many */
  repliesEach?: number
  /**
   * Does the fault and counts in `tally`; the database is checked afterwards. Rejects when it could not be tried.
   *
   * @param options.rounds how often it is done
   */
  run(arena: Arena, tally: Tally, options: { rounds: number; dice: Dice }): Promise<void>
}
