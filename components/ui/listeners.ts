/** Listeners to a value outside of React: `subscribe` is for `useSyncExternalStore`. */
export function listenersOf() {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell(): void {
      for (const listener of listeners) listener()
    },
  }
}
