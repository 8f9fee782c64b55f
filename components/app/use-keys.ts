'use client'

import { useEffect, useEffectEvent } from 'react'

/** What a key does; answering `false` leaves it to the browser. */
export type Keys = Record<string, (event: KeyboardEvent) => unknown>

/** Single keys for the whole page. None works while somebody types, picks from a list or reads a dialog. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isTaken(event.target)) return
    const run = keys[event.key]
    if (!run) return
    if (run(event) !== false) event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}

// What is closing still holds the focus until its animation ends, but nobody is in it any more.
const open = ':not([data-state="closed"])'
const taken = `input, textarea, select, [contenteditable="true"], [role="dialog"]${open}, [role="listbox"]${open}, [role="menu"]${open}`

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(taken) !== null
}
