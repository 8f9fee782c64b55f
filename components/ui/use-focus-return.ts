'use client'

import { useLayoutEffect, useRef } from 'react'

/** What had the focus outside all dialogs when the last of them was opened: one may open from another and replace it. */
let below: HTMLElement | null = null

/**
 * Where the focus goes when something closes that has no button of its own: back to what had it before, unless
 * somebody else has taken it by then. For Radix's `onCloseAutoFocus`.
 */
export function useFocusReturn(open: boolean): (event: Event) => void {
  const before = useRef<HTMLElement | null>(null)
  // what is opened gets on the page a moment later: until then nothing in it has taken the focus
  useLayoutEffect(() => {
    if (open) before.current = focusedNow()
  }, [open])
  return (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    if (document.activeElement !== document.body) return
    const to = before.current?.isConnected ? before.current : below
    to?.focus({ preventScroll: true })
  }
}

/** What has the focus; for a menu, which is gone when it is needed, the button that opened it. */
function focusedNow(): HTMLElement | null {
  const { activeElement } = document
  const focused =
    activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null
  if (focused?.closest('[role="dialog"], [role="alertdialog"]')) return focused
  const menu = focused?.closest('[role="menu"]')
  below = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
  return below
}
