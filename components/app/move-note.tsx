'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { useOnChange } from '@/components/ui/use-on-change'
import { keepSlot, takeBackToast, type UndoNote, useHasSlot, useMoveNote, useSaid } from './toasts'

/** Time that a note stays, and time between two looks at that, in ms. */
const [stay, tick] = [8000, 500] as const

/** The note about the last move, in the flow of the page: it covers nothing. */
export function MoveNote({ className }: { className?: string }) {
  useEffect(keepSlot, [])
  return <Note className={className} />
}

/** The note on a page that has no place for it. */
export function LooseMoveNote() {
  return useHasSlot() ? null : <Note className="border-line border-t px-4" />
}

function Note({ className }: { className?: string | undefined }) {
  const note = useMoveNote()
  const said = useSaid()
  return (
    <div role="status" data-move-note>
      {note && <Shown note={note} className={className} />}
      <span className="sr-only">{said}</span>
    </div>
  )
}

function Shown({ note, className }: { note: UndoNote; className?: string | undefined }) {
  const bar = useRef<HTMLDivElement>(null)
  const left = useRef<number>(stay)

  const pass = useEffectEvent(() => {
    const isHeld = bar.current?.matches(':hover, :focus-within') || document.querySelector(above) !== null
    if (!isHeld && !document.hidden) left.current -= tick
    if (left.current <= 0) takeBackToast()
  })

  useOnChange([note], () => {
    left.current = stay
    const timer = setInterval(() => pass(), tick)
    return () => clearInterval(timer)
  })

  return (
    <div
      ref={bar}
      className={cn('arrive flex min-h-9 items-center gap-3 text-muted text-sm touch:min-h-12', className)}
    >
      <span className="line-clamp-2 min-w-0 flex-1">{note.message}</span>
      <Button size="sm" className="touch:px-4" onClick={note.undo}>
        {note.label}
      </Button>
    </div>
  )
}

/** Selectors of layers that hide the note while they are open. */
const above = '[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"]'

/** Moves the focus to the note, if there is one. */
export const focusMoveNote = (): void =>
  document.querySelector<HTMLElement>('[data-move-note] button')?.focus()
