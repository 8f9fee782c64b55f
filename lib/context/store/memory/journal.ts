/** Remembers how to take back every step of a write, so that a refused one leaves no trace. */
export class Journal {
  readonly #undo: (() => void)[] = []

  /** `map.set`, reversible. */
  set<K, V extends object | number>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key)
    this.#undo.push(() => {
      if (before === undefined) map.delete(key)
      else map.set(key, before)
    })
    map.set(key, value)
  }

  /** `map.delete`, reversible; the entry comes back as the last one. */
  delete<K, V extends object>(map: Map<K, V>, key: K): void {
    const before = map.get(key)
    if (before === undefined) return
    this.#undo.push(() => map.set(key, before))
    map.delete(key)
  }

  /** `array.push`, reversible. */
  push<T>(array: T[], item: T): void {
    this.#undo.push(() => array.pop())
    array.push(item)
  }

  /** `Object.assign`, reversible. */
  assign<T extends object>(target: T, patch: Partial<T>): void {
    const before = { ...target }
    this.#undo.push(() => Object.assign(target, before))
    Object.assign(target, patch)
  }

  /** Takes everything back, the latest step first. */
  rollback(): void {
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) undo()
  }
}
