/** The kinds of things that are read by their keys. */
export type Part =
  | 'branches'
  | 'messages'
  | 'checkpoints'
  | 'names'
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

/** Things of a chat by their keys, of which only some were read: those, and those that are known not to be there. */
export class ReadMap<V> extends Map<string, V> {
  #absent = new Set<string>()
  /** all there are were read */
  isWhole = false

  /** @param of names the things, for `NotReadError` */
  constructor(readonly of: Part) {
    super()
  }

  isRead(key: string): boolean {
    return this.isWhole || super.has(key) || this.#absent.has(key)
  }

  /** Takes in that nothing has this key, unless something is known to have it. */
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

  /** Takes in what was read besides. */
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
