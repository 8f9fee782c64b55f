import type { Arena } from '@/testing/faults/arena'
import type { Visitor } from '@/testing/faults/visitor'
import type { Dice } from '@/testing/worlds/dice'

/** The means of an attack. */
interface Scene {
  base: string
  arena: Arena
  dice: Dice
  /** how thorough it is: 25 for the whole suite, 1 for a short one */
  rounds: number
  /** how many times longer than meant an answer may take: more where other tests share the machine */
  patience: number
}

/** One kind of abuse by a person or by many connections. */
export interface Attack {
  name: string
  /** Asks for what the attack asks for, once and honestly: memory that the first of everything loads stays, and does not count. */
  prepare?(scene: Scene): Promise<void>
  /** Attacks, and returns what the server did wrong. */
  run(scene: Scene): Promise<string[]>
  /** the database where it is enough to try one: what the attack does, none of them sees */
  on?: 'pglite' | 'postgres'
  /** how long a request of the bystander may take, in ms, where many persons attack at once; else a second */
  atMost?: number
  /** how many replies it asks for to one message, at most; 1 unless given */
  repliesEach?: number
}

/** Sends a request and reads the answer whole. */
export async function ask(
  who: Visitor,
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; ms: number; text: string }> {
  const start = performance.now()
  const response = await fetch(url, {
    ...init,
    headers: { cookie: who.cookie, 'content-type': 'application/json', ...init.headers },
  })
  const text = await response.text()
  return { status: response.status, ms: performance.now() - start, text }
}

/** Runs `work` for every item, so many at a time. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

/** The same answer a number of times. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
