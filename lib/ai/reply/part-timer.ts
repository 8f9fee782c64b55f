import type { TextStreamPart, ToolSet } from 'ai'

/**
 * Measures how long parts of a reply take: each stretch of reasoning, and each tool from its call to its result.
 *
 * @example
 * timer.read(part) // { 'reasoning-0': 1240 } at the end of the first reasoning part
 */
export class PartTimer {
  readonly #begun = new Map<string, number>()
  readonly #reasoning = new Map<string, string>()
  #thoughts = 0

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes in a part of the stream; answers a duration in ms by its key, as `metadata.durations` has it. */
  read(part: TextStreamPart<ToolSet>): Record<string, number> | undefined {
    switch (part.type) {
      case 'reasoning-start': {
        const key = `reasoning-${this.#thoughts++}`
        this.#reasoning.set(part.id, key)
        this.#begun.set(key, this.now())
        return undefined
      }
      case 'reasoning-end':
        return this.#end(this.#reasoning.get(part.id))
      case 'tool-call':
        this.#begun.set(part.toolCallId, this.now())
        return undefined
      case 'tool-result':
        return part.preliminary ? undefined : this.#end(part.toolCallId)
      case 'tool-error':
        return this.#end(part.toolCallId)
      default:
        return undefined
    }
  }

  #end(key: string | undefined): Record<string, number> | undefined {
    const begun = key === undefined ? undefined : this.#begun.get(key)
    if (key === undefined || begun === undefined) return undefined
    this.#begun.delete(key)
    return { [key]: Math.round(this.now() - begun) }
  }
}
