'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/components/ui/button'
import type { OpenProps } from '@/components/ui/dialog'
import { useNewVersion } from './new-version'
import { newVersion } from './problem'

/** Loads the page of the version that the server has. */
export const Reload = ({ id }: { id?: string }) => (
  <Button id={id} size="sm" onClick={() => location.reload()}>
    Reload the page
  </Button>
)

/** The offer above the page to load a new version. */
export const reloadId = 'reload-new-version'

/** Says why a part of the page is missing. */
function Why() {
  return useNewVersion() ? newVersion : 'This part could not be loaded. Check the connection, then try again.'
}

function Remedy({ onAgain }: { onAgain(): void }) {
  if (useNewVersion()) return <Reload />
  return (
    <Button size="sm" onClick={onAgain}>
      Try again
    </Button>
  )
}

/** In the place of a part of the page whose code could not be loaded. */
export function LoadFailure({ onAgain }: { onAgain(): void }) {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 text-muted text-sm">
      <Why />
      <Remedy onAgain={onAgain} />
    </p>
  )
}

/**
 * In the place of a dialog or menu whose code could not be loaded: it stands above the page, which goes on below it. A click or
 * a key elsewhere closes it first, so a key or button that asks for the dialog once more has it loaded once more.
 *
 * The page offers a reload already when the server has a newer version: the focus goes there.
 */
export function LoadFailureNote({ open, onOpenChange, onAgain }: OpenProps & { onAgain(): void }) {
  const note = useRef<HTMLDivElement>(null)
  const isOld = useNewVersion()
  const leave = useEffectEvent((event: Event) => {
    const isWithin = event.target instanceof Node && note.current?.contains(event.target)
    if (isEscape(event) || !(isWithin || isWriting(event))) flushSync(() => onOpenChange(false))
  })
  useEffect(() => {
    if (!open) return
    const gone = new AbortController()
    const early = { capture: true, signal: gone.signal }
    addEventListener('click', leave, early)
    addEventListener('keydown', leave, early)
    return () => gone.abort()
  }, [open])
  useEffect(() => {
    if (open && isOld) document.getElementById(reloadId)?.focus()
  }, [open, isOld])
  if (!open || isOld) return null
  return (
    <div
      ref={note}
      role="alert"
      className="arrive fixed top-14 left-1/2 z-50 flex w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 flex-col gap-3 rounded-xl border border-line bg-raised p-3 text-sm shadow-float max-sm:top-25"
    >
      <p className="text-muted">
        <Why />
      </p>
      <div className="flex gap-2">
        <Remedy onAgain={onAgain} />
        <Button size="sm" look="quiet" onClick={() => onOpenChange(false)}>
          Close
        </Button>
      </div>
    </div>
  )
}

const isEscape = (event: Event): boolean => event instanceof KeyboardEvent && event.key === 'Escape'

/** Tells of a key that writes into a text field, or that only moves the focus. */
function isWriting(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return false
  const { key, target, ctrlKey, metaKey } = event
  if (key === 'Tab') return true
  return !ctrlKey && !metaKey && target instanceof Element && target.matches('input, textarea')
}
