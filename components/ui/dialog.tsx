'use client'

import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { useFocusReturn } from './use-focus-return'

/** A dialog that is open or closed, and the wish to change that. */
export interface OpenProps {
  open: boolean
  onOpenChange(open: boolean): void
}

interface DialogProps extends OpenProps {
  title: string
  /** read out with the title */
  description?: ReactNode
  /** the title is read out but not shown */
  bare?: boolean
  className?: string
  /** can keep the focus from going back to where it was */
  onCloseAutoFocus?: (event: Event) => void
  children: ReactNode
}

export function Dialog({ title, description, bare, className, children, ...rest }: DialogProps) {
  return (
    <Panel
      onOpenAutoFocus={focusFirstField}
      {...rest}
      {...(!description && { 'aria-describedby': undefined })}
      className={cn(
        'dialog arrive fixed left-1/2 z-50 -translate-x-1/2',
        'flex flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none',
        className,
      )}
    >
      {bare ? (
        <Radix.Title className="sr-only">{title}</Radix.Title>
      ) : (
        <div className="flex items-center justify-between gap-4 px-5 pt-4">
          <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
          <Radix.Close asChild>
            <Button look="quiet" size="icon-sm" aria-label="Close">
              <X size={16} aria-hidden />
            </Button>
          </Radix.Close>
        </div>
      )}
      {description && (
        <Radix.Description className={cn('px-5 pt-1 text-muted', bare && 'sr-only')}>
          {description}
        </Radix.Description>
      )}
      {children}
    </Panel>
  )
}

const fields = 'input:enabled, textarea:enabled, [role=combobox], [role=radio][aria-checked=true]'

/** Gives the focus to the first field, and by touch to the dialog itself: a keyboard would cover it. */
function focusFirstField(event: Event) {
  const { currentTarget: dialog } = event
  if (!(dialog instanceof HTMLElement)) return
  const first = dialog.querySelector<HTMLElement>(fields)
  if (!first) return
  event.preventDefault()
  const target = matchMedia('(pointer: fine)').matches ? first : dialog
  target.focus({ preventScroll: true })
}

interface SheetProps extends OpenProps {
  title: string
  side?: keyof typeof sides
  /** can keep Escape from closing it */
  onEscapeKeyDown?: (event: KeyboardEvent) => void
  /** can move the focus on */
  onOpened?(): void
  children: ReactNode
}

const sides = {
  left: 'inset-y-0 left-0 w-[min(280px,85vw)] border-r',
  bottom: 'inset-x-0 bottom-0 max-h-[80dvh] rounded-t-xl border-t pb-[env(safe-area-inset-bottom)]',
}

/** A panel that slides over the page from an edge, for windows too narrow to dock it. */
export function Sheet({ title, side = 'left', onOpened, children, ...rest }: SheetProps) {
  return (
    <Panel
      {...rest}
      aria-describedby={undefined}
      // The sheet takes the focus: its first button would show a tooltip, and Escape would close only that.
      onOpenAutoFocus={(event) => {
        event.preventDefault()
        if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
        onOpened?.()
      }}
      className={cn(
        'appear fixed z-50 flex flex-col overflow-hidden border-line bg-surface shadow-float outline-none',
        sides[side],
      )}
    >
      <Radix.Title className="sr-only">{title}</Radix.Title>
      {children}
    </Panel>
  )
}

/** A panel above the page, which gives the focus back when it closes. */
function Panel({
  open,
  onOpenChange,
  onCloseAutoFocus,
  ...content
}: OpenProps & ComponentProps<typeof Radix.Content>) {
  const giveBack = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="appear fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus?.(event)
            giveBack(event)
          }}
          {...content}
        />
      </Radix.Portal>
    </Radix.Root>
  )
}
