/**
 * A read-only map made of a large base and a small layer on top. Adding copies the layer only, so that an index
 * grows by a message without copying ten thousand, and the index it grew from stays as it was.
 */
export class LayeredMap<K, V> {
  readonly #base: ReadonlyMap<K, V>
  readonly #layer: ReadonlyMap<K, V>

  constructor(base: ReadonlyMap<K, V>, layer: ReadonlyMap<K, V> = new Map()) {
    this.#base = base
    this.#layer = layer
  }

  /** How many entries sit on top of the base. */
  get layered(): number {
    return this.#layer.size
  }

  get(key: K): V | undefined {
    return this.#layer.get(key) ?? this.#base.get(key)
  }

  has(key: K): boolean {
    return this.#layer.has(key) || this.#base.has(key)
  }

  with(entries: Iterable<readonly [K, V]>): LayeredMap<K, V> {
    const layer = new Map(this.#layer)
    for (const [key, value] of entries) layer.set(key, value)
    return new LayeredMap(this.#base, layer)
  }
}
