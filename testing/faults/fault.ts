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

export type DatabaseKind = 'pglite' | 'postgres'

/** Faults that share a database, its servers and one check of it at the end. */
export interface FaultGroup {
  /** the database of the short run; the long one has both */
  short: DatabaseKind
  faults: readonly Fault[]
}

/** Something that happens to the application, and what must hold afterwards. */
export interface Fault {
  name: string
  on: readonly DatabaseKind[]
  /** how many replies it asks for to one message; 1 unless given. Faults of a group ask for as many */
  repliesEach?: number
  /** Does it so many `rounds` and counts in `tally`; answers may take `patience` times longer. */
  run(arena: Arena, tally: Tally, options: { rounds: number; dice: Dice; patience: number }): Promise<void>
}
