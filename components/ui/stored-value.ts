'use client'

import { useSyncExternalStore } from 'react'
import { listenersOf } from './listeners'

const listeners = listenersOf()

function subscribe(listener: () => void): () => void {
  const leave = listeners.subscribe(listener)
  addEventListener('storage', listener)
  return () => {
    leave()
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
    listeners.tell()
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

/** The texts of a list as it is kept. Anything else that stands there counts as none. */
export function storedTexts(stored: string): string[] {
  try {
    const value: unknown = JSON.parse(stored)
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
