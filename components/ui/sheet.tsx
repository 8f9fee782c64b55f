'use client'

import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { useFocusReturn } from './use-focus-return'

interface SheetProps {
  open: boolean
  onOpenChange(open: boolean): void
  title: string
  side?: 'left' | 'bottom'
  /** can keep Escape from closing it */
  onEscapeKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

const sides = {
  left: 'inset-y-0 left-0 w-[min(280px,85vw)] border-r',
  bottom: 'inset-x-0 bottom-0 max-h-[80dvh] rounded-t-xl border-t pb-[env(safe-area-inset-bottom)]',
}

/** A panel that slides over the page from an edge, for windows too narrow to dock it. */
export function Sheet({ open, onOpenChange, title, side = 'left', onEscapeKeyDown, children }: SheetProps) {
  const giveBack = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="appear fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={onEscapeKeyDown}
          onCloseAutoFocus={giveBack}
          // The sheet takes the focus: its first button would show a tooltip, and Escape would close only that.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          className={cn(
            'appear fixed z-50 flex flex-col overflow-hidden border-line bg-surface shadow-float outline-none',
            sides[side],
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
