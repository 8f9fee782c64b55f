import type { Change, CommandKey, Committed, MadeChange, Needs, Slice } from '@/lib/context'
import { type Counting, takenBy, type Use } from '../access/quota'
import { needsOf } from './needs'

/** A requested change: it is planned on the read parts of its chat, maybe more than once. */
export interface Asked {
  /** names the parts it looks at, as far as they are known before */
  needs(needs: Needs): unknown
  /** it makes the chat, unless the chat exists */
  makesChat?: boolean
  /** @throws the refusals of `ContextStore.commit` */
  plan(slice: Slice): MadeChange
  /** answer to a command, from the chat as its change has left it */
  answer?(slice: Slice): object
  use(change: Change, bodies: readonly string[]): Use
  counting?: Counting | undefined
  /** runs once for each key of its owner */
  once?: (CommandKey & { ownerId: string }) | undefined
}

/** The outcome of a change. A command that was carried out before has its answer of then, and writes nothing. */
export type Done =
  | { repeated: false; committed: Committed; answer: object | undefined }
  | { repeated: true; answer: object }

/** A change that was planned before. */
export const changeAsked = (change: MadeChange, counting: Counting | undefined): Asked => ({
  makesChat: change.create !== undefined,
  needs: (needs) => needsOf(change, needs),
  plan: () => change,
  use: takenBy,
  counting,
})
