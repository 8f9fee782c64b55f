'use client'

import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** A value of `localStorage`; null where the browser forbids it. */
export function storedValue(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    return
  } finally {
    for (const listener of listeners) listener()
  }
}

/** A value this browser remembers, shared by its tabs. `fallback` is what the server renders. */
export function useStored(key: string, fallback: string): [string, (value: string | null) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => storedValue(key) ?? fallback,
    () => fallback,
  )
  return [value, (next) => store(key, next)]
}
