'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** Handlers of keys by name. `false` as answer leaves the key to the browser; `g g` is a key pressed twice. */
export type Keys = Record<string, (event: KeyboardEvent) => unknown>

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The name of a key: `j`, `?`, `Space`, `ArrowUp`; with Ctrl or ⌘ `Ctrl+K`, with Alt `Alt+T`. */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key
  if (altKey) return `Alt+${name.toUpperCase()}`
  if (!ctrlKey && !metaKey) return name
  return `Ctrl+${shiftKey ? 'Shift+' : ''}${name.toUpperCase()}`
}

/** A second press this soon after the first makes a pair, in ms. */
const twice = 450

/** Keys that a text field has for itself. */
const ofText = new Set(['Ctrl+Z', 'Ctrl+Shift+Z'])

/** Keys for the whole page. Without Ctrl none works in a text field, a list or a dialog. */
export function useKeys(keys: Keys): void {
  const before = useRef<{ name: string; at: number } | null>(null)

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing) return
    const name = keyName(event)
    const isAnywhere = name.startsWith('Ctrl+') && !ofText.has(name)
    if (!isAnywhere && (event.defaultPrevented || isTaken(event.target))) return
    const pair = keys[`${name} ${name}`]
    // a key that is held down
    if (pair && event.repeat) return
    const isSecond = pair && before.current?.name === name && event.timeStamp - before.current.at < twice
    before.current = isSecond ? null : { name, at: event.timeStamp }
    const run = isSecond ? pair : keys[name]
    if (run && run(event) !== false) event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}

// A closing dialog holds the focus until its animation ends, and takes no keys any more.
const open = ':not([data-state="closed"])'
const taken = `input, textarea, select, [contenteditable="true"], [role="dialog"]${open}, [role="listbox"]${open}, [role="menu"]${open}`

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(taken) !== null
}
