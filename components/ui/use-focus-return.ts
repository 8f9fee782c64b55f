'use client'

import { useLayoutEffect, useRef } from 'react'

/** The element that had the focus outside all dialogs: a dialog may open from another and replace it. */
let below: HTMLElement | null = null

/**
 * Gives the focus back when a dialog without a trigger closes: to the element that had it before, unless another has
 * taken it. For Radix's `onCloseAutoFocus`.
 *
 * @param beside the element that it stands beside: it takes the focus when none had it before
 */
export function useFocusReturn(open: boolean, beside: Element | null = null): (event: Event) => void {
  const before = useRef<HTMLElement | null>(null)
  // the dialog is on the page a moment later, and has not taken the focus yet
  useLayoutEffect(() => {
    if (open) before.current = focusedNow()
  }, [open])
  return (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    if (document.activeElement !== document.body) return
    const known = before.current?.isConnected ? before.current : below
    const to = known ?? beside
    if (to instanceof HTMLElement) to.focus({ preventScroll: true })
  }
}

/** The focused element; for a menu, which will be gone, the button that opened it. */
function focusedNow(): HTMLElement | null {
  const { activeElement } = document
  const focused =
    activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null
  if (focused?.closest('[role="dialog"], [role="alertdialog"]')) return focused
  const menu = focused?.closest('[role="menu"]')
  below = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
  return below
}
