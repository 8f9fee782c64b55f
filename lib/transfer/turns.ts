import { setImmediate } from 'node:timers/promises'

/** Time that a computation goes on without a pause, in ms. */
const SPELL = 5

/** The pauses of a long computation: every few milliseconds other work of the process has its turn. */
export class Turns {
  #since = performance.now()

  /** Resolves at once, or where others have waited for a while, after their turn. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SPELL) return
    await setImmediate()
    this.#since = performance.now()
  }

  /** The results of some work on every item, in their order. */
  async map<Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Result | Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = []
    for (const [index, item] of items.entries()) {
      results.push(await work(item, index))
      await this.next()
    }
    return results
  }
}
