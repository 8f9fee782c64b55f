/** `now`: a run may begin at once; `later`: when a reply ends, since the person has as many as allowed. */
type Nudge = 'now' | 'later'

/** Tells the worker of this process that a run is queued. Other processes find the run by polling. */
export class RunQueue {
  readonly #listening = new Set<(when: Nudge) => void>()

  /** Calls `wake` at every nudge, until the returned function is called. */
  subscribe(wake: (when: Nudge) => void): () => void {
    this.#listening.add(wake)
    return () => this.#listening.delete(wake)
  }

  /** True when queued runs are taken in this process. */
  get isWatched(): boolean {
    return this.#listening.size > 0
  }

  nudge(when: Nudge = 'now'): void {
    for (const wake of this.#listening) wake(when)
  }
}
