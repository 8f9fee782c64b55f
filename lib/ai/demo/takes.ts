import type { DemoPrompt } from './read-prompt'
import { hash } from './small-talk'

/** After so many tries the first words come round again. */
export const MOST_TAKES = 30
/** Prompts that are remembered. */
const REMEMBERED = 500

/** Counts how often the same was asked: a person who tries again wants other words. */
export class Takes {
  readonly #asked = new Map<number, number>()

  /** Number of times that these messages were asked before. */
  next({ said, messages }: DemoPrompt): number {
    const key = hash(`${messages} ${said.map(({ text }) => text).join('\n')}`)
    const take = this.#asked.get(key) ?? 0
    // the newest stand last: the oldest are forgotten
    this.#asked.delete(key)
    this.#asked.set(key, (take + 1) % MOST_TAKES)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > REMEMBERED && oldest !== undefined) this.#asked.delete(oldest)
    return take
  }
}
