'use client'

import { type RefObject, useEffect } from 'react'

/** Devices on which a focused box brings up a keyboard that covers the page. */
const touch = '(hover: none)'

/** Focuses the message box of a page that opens, unless the address names a message to read or a dialog is open. */
export function useFirstFocus(box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const isAsked = new URLSearchParams(location.search).has('at')
    const isHeld = document.activeElement?.closest('input, textarea, [role="dialog"], [role="menu"]') != null
    if (!isAsked && !isHeld && !matchMedia(touch).matches) box.current?.focus({ preventScroll: true })
  }, [box])
}
