/** The kinds of things that are read by their keys. */
export type Part =
  | 'branches'
  | 'messages'
  | 'checkpoints'
  | 'names'
  | 'freeNames'
  | 'contexts'
  | 'runs'
  | 'stands'
  | 'steerings'

/** A decision asks for something that was not read: it is read, and the change is decided again. */
export class NotReadError extends Error {
  override readonly name = 'NotReadError'

  constructor(
    readonly of: Part,
    readonly key: string,
  ) {
    super(`"${key}" of the ${of} was not read`)
  }
}

/** Entries of a chat by key, read in part: it holds the read entries and the keys known not to exist. */
export class ReadMap<V> extends Map<string, V> {
  #absent = new Set<string>()
  /** every entry was read */
  isWhole = false

  /** @param of names the entries, for `NotReadError` */
  constructor(readonly of: Part) {
    super()
  }

  isRead(key: string): boolean {
    return this.isWhole || super.has(key) || this.#absent.has(key)
  }

  /** Records that the key does not exist, unless it has a value already. */
  leaveOut(key: string): void {
    if (!super.has(key)) this.#absent.add(key)
  }

  /** @throws NotReadError for a key that was not read: it may be there */
  override get(key: string): V | undefined {
    if (!this.isRead(key)) throw new NotReadError(this.of, key)
    return super.get(key)
  }

  /** As `get`, and undefined for a key that was not read. */
  peek(key: string): V | undefined {
    return super.get(key)
  }

  override delete(key: string): boolean {
    this.#absent.add(key)
    return super.delete(key)
  }

  /** Has a key be read again. */
  forget(key: string): void {
    super.delete(key)
    this.#absent.delete(key)
  }

  /** Adds further entries that were read. */
  takeIn(more: ReadMap<V>): void {
    for (const [key, value] of more) this.set(key, value)
    for (const key of more.#absent) this.leaveOut(key)
  }

  copy(): ReadMap<V> {
    const copy = new ReadMap<V>(this.of)
    for (const [key, value] of this) copy.set(key, value)
    copy.#absent = new Set(this.#absent)
    copy.isWhole = this.isWhole
    return copy
  }
}
