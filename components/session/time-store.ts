import type { History } from '@/lib/protocol'

interface At {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** how many movements had been made; null for now */
  position: number | null
  /** null until it has been read */
  history: History | null
}

/**
 * Which time of a chat its graph is looked at. It stands outside of the chat's state: moving along it draws the
 * graph, and nothing else of the page.
 */
export class TimeStore {
  #at: At = { isOpen: false, position: null, history: null }
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): At => this.#at

  set(change: Partial<At>): void {
    this.#at = { ...this.#at, ...change }
    for (const listener of this.#listeners) listener()
  }
}
