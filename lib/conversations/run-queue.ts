/** Tells whoever takes queued runs in this process that there is one. Other processes find it by looking. */
export class RunQueue {
  readonly #listening = new Set<() => void>()

  /** Calls `wake` at every nudge, until the returned function is called. */
  subscribe(wake: () => void): () => void {
    this.#listening.add(wake)
    return () => this.#listening.delete(wake)
  }

  /** Whether queued runs are taken in this process. */
  get isWatched(): boolean {
    return this.#listening.size > 0
  }

  nudge(): void {
    for (const wake of this.#listening) wake()
  }
}
