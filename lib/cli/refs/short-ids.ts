/** Characters of a short id, and the fewest that a person has to type. */
const SHORT = 7
const LEAST = 4
/** Ids that are no longer than this are shown as they are. */
const WHOLE = 16

/**
 * Ids as a person reads and types them. Ids made by Ramify begin with the time, so those of one conversation begin alike:
 * their ends tell them apart. An id is typed by any beginning or end that no other id has.
 */
export class ShortIds {
  readonly #lengths = new Map<string, number>()

  constructor(private readonly ids: readonly string[]) {
    const turned = ids.map((id) => ({ id, from: [...id].reverse().join('') }))
    turned.sort((a, b) => (a.from < b.from ? -1 : 1))
    for (const [at, { id, from }] of turned.entries()) {
      const beside = [turned[at - 1], turned[at + 1]]
      const shared = beside.map((other) => (other ? sharedLength(from, other.from) : 0))
      this.#lengths.set(id, Math.max(SHORT, ...shared.map((length) => length + 1)))
    }
  }

  of(id: string): string {
    if (id.length <= WHOLE) return id
    return id.slice(-(this.#lengths.get(id) ?? id.length))
  }

  /** The ids that a text means: the id itself, else ids that begin or end with it. */
  meant(text: string): string[] {
    if (this.#lengths.has(text)) return [text]
    if (text.length < LEAST) return []
    return this.ids.filter((id) => id.startsWith(text) || id.endsWith(text))
  }
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
