import type { TextStreamPart, ToolSet } from 'ai'
import { wasThoughts } from './separate-thoughts'

const textKey = (id: string): string => `text:${id}`

/**
 * Measures how long parts of a reply take: each stretch of reasoning, and each tool from its call to its result.
 *
 * @example
 * timer.read(part) // { 'reasoning-0': 1240 } at the end of the first reasoning part
 */
export class PartTimer {
  readonly #begun = new Map<string, number>()
  readonly #reasoning = new Map<string, string>()
  #thoughts: number

  /** @param thoughts stretches of reasoning in the part of the reply that is gone on with */
  constructor(
    private readonly now: () => number = () => performance.now(),
    thoughts = 0,
  ) {
    this.#thoughts = thoughts
  }

  /** Takes in a part of the stream; answers a duration in ms by its key, as `metadata.durations` has it. */
  read(part: TextStreamPart<ToolSet>): Record<string, number> | undefined {
    switch (part.type) {
      case 'reasoning-start':
        this.#think(part.id, this.now())
        return undefined
      case 'reasoning-end':
        return this.#end(this.#reasoning.get(part.id))
      case 'text-start':
        this.#begun.set(textKey(part.id), this.now())
        return undefined
      case 'text-end':
        if (!wasThoughts(part.providerMetadata)) return undefined
        return this.#end(this.#think(part.id, this.#begun.get(textKey(part.id)) ?? this.now()))
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

  #think(id: string, begun: number): string {
    const key = `reasoning-${this.#thoughts++}`
    this.#reasoning.set(id, key)
    this.#begun.set(key, begun)
    return key
  }

  #end(key: string | undefined): Record<string, number> | undefined {
    const begun = key === undefined ? undefined : this.#begun.get(key)
    if (key === undefined || begun === undefined) return undefined
    this.#begun.delete(key)
    return { [key]: Math.round(this.now() - begun) }
  }
}
